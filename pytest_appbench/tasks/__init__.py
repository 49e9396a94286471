"""Tasks: what they are, how they are read from files, and what is wrong with them."""
