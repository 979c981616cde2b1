"""The beetles under several links: fits by dose, and what each dose adds to the deviance."""

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from course.studies.generalised_linear_models.textbook import DOSE, EXPOSED, KILLED
from probml.families import Bernoulli
from probml.linear_model import GLM
from probml.losses import Link


def fitted(link: Link) -> GLM:
    """The proportion killed on the dose, with the numbers of beetles as weights."""
    return GLM(Bernoulli(), link).fit(DOSE[:, None], KILLED / EXPOSED, EXPOSED)


def deviance_by_dose(link: Link) -> NDArray[np.float64]:
    """What each dose adds to the deviance, shape (8,): 2 n times the relative entropy of the proportion to the fit."""
    p, share = fitted(link).predict(DOSE[:, None]), KILLED / EXPOSED
    return 2 * EXPOSED * stats.entropy([share, 1 - share], [p, 1 - p], axis=0)
