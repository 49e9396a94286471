"""Views of a run: its records, which are the truth, and what is made of them."""
