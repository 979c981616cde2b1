"""Three points whose line, projection and residuals are whole numbers."""

import numpy as np

X = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]])
Y = np.array([0.0, 4.0, 2.0])
