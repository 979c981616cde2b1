"""Experiments on linear classifiers that differ in the loss of the margin: perceptron, hinge, logistic, squared."""
