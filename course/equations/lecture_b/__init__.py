"""Lecture B: notes on generative learning algorithms (CS229, Stanford). No numbers there: ours run in its order."""
