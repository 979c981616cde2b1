"""Special functions of SciPy with their types: number by number, of arrays of any shape."""

from collections.abc import Callable
from typing import TypeAlias

from scipy import special

from probml.typing import Array

Elementwise: TypeAlias = Callable[[Array], Array]

erfcx: Elementwise = special.erfcx
expit: Elementwise = special.expit
exprel: Elementwise = special.exprel
log_expit: Elementwise = special.log_expit
log_ndtr: Elementwise = special.log_ndtr
logit: Elementwise = special.logit
ndtr: Elementwise = special.ndtr
ndtri: Elementwise = special.ndtri
