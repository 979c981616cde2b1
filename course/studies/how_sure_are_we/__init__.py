"""How sure are we? Simulated censuses, odds ratios with their intervals, tests of calibration, figures."""
