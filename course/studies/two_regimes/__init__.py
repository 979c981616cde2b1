"""The two regimes, counted: a meta-analysis of the Learning Curve Database, and our own curves beside it."""
