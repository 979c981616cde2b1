"""The two regimes on 248 data sets: a meta-analysis of the Learning Curve Database, and our own curves beside it."""
