"""Projects of steps that build on each other: generating and judging take turns, step by step.

Follows Web-Bench, section 3. Nothing here knows pytest, or which generators there are.
"""
