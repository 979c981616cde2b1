"""Experiments on softmax regression: its surplus parameters, and digits by four models of ten classes."""
