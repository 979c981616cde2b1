"""Lecture D: probabilistic classification (CS181, Harvard University), slide by slide; slides shown in steps count once."""
