"""Beta and Dirichlet: a bent coin, what depends on the scale on which its probability is measured, and the figures."""
