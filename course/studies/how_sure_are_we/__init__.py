"""How sure are we? Simulated censuses, odds ratios with their intervals, held-out probabilities, figures."""
