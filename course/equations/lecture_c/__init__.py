"""Checks of the formulas of lecture C."""
