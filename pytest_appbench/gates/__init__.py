"""Gates: conditions on the figures of a run that decide whether it was good enough."""
