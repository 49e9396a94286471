"""Figures that summarise many verdicts, one module for each question.

Each function names the source of its formula; docs/statistics.md says what they are for.
Nothing here prints or knows pytest, and scipy is imported where it is used: this package is loaded
whenever a run closes with its table.
"""

from pytest_appbench.statistics.rates import Z_95, mean, wilson_interval

__all__ = ["Z_95", "mean", "wilson_interval"]
