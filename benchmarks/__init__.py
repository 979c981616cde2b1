"""Time and memory of the package beside the best peer that does the same work: `python -m benchmarks`."""
