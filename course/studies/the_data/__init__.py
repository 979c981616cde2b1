"""The data."""
