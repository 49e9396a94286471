"""Programs of others: what `sandbox` is made of, and what those need who run something in it."""
