"""Lecture E: probabilistic modelling (DS-GA 1003, New York University, 2020). It numbers its equations 1 to 91."""
