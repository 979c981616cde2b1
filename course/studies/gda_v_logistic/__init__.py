"""Gaussian discriminant analysis against logistic regression: efficiency where it is right, robustness where not."""
