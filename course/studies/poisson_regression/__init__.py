"""Experiments on Poisson regression: hourly counts of bicycles, their spread, and how far the estimates may be off."""
