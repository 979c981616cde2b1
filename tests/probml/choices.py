"""A random choice among separating hyperplanes, for tests of learning curves."""

import numpy as np


class Nearby:
    """Not far from the hyperplane that is known: as far in a random direction as leaves all examples separated."""

    name = "nearby"

    def __call__(self, A, inside, generators):
        return np.array([self.moved(*each) for each in zip(A, inside, generators, strict=True)]).reshape(inside.shape)

    def moved(self, rows, inside, generator):
        step = generator.standard_normal(len(inside))
        while not (rows @ (inside + step) > 0).all():
            step /= 2
        return inside + step
