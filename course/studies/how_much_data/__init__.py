"""How much data: learning curves extrapolated, on the Learning Curve Database and at twice the rows of new tables."""
