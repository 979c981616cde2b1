"""Which classifier needs how much data, for a table of yours: read, race, extrapolate, recommend.

    comparison = probml.curves.compare("customers.csv", "churned")
    print(comparison)
    comparison.save("report.html")

The same as a command: probml curves customers.csv --target churned --out report.html
"""

from probml.comparison.comparison import Comparison, compare

__all__ = ["Comparison", "compare"]
