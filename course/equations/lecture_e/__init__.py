"""Checks of the formulas of lecture E."""
