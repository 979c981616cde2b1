"""Small models and measures that notes teach with, and that a library of classifiers does not need."""
