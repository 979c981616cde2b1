"""Experiments on softmax regression: a class between two others, the pieces of a cross-entropy, and ten digits."""
