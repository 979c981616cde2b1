"""Experiments on losses of the margin: perceptron, hinge, logistic and squared loss on two classes in the plane."""
