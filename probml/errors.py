"""Errors meant for the user: one message that names what was received and what to do about it."""


class ProbmlError(Exception):
    """Base class: what went wrong lies with data, arguments or the installation, and the message says all of it."""


class MissingPackageError(ProbmlError, ImportError):
    """Something was asked for that takes a package beyond those that come with the library."""


class ParameterError(ProbmlError, ValueError):
    """An argument is not one that can be used, by itself or with the data: of learning curves, for example."""


class DataError(ProbmlError, ValueError):
    """A table cannot be read or used: the message names file, column and row."""


class ZeroEvidenceError(ValueError):
    """An example has probability zero under every class, so that its posterior is 0/0."""


class NoEstimateError(ValueError):
    """The examples so far leave a parameter of a model without an estimate, which more of them may give."""


class SeparationError(ValueError):
    """A likelihood has no maximum: a linear predictor separates examples, and wants to be infinite."""


class UndecidedSeparationError(SeparationError):
    """A likelihood may have no maximum: the linear program that looks for separation failed."""


class RankWarning(UserWarning):
    """Columns of a design matrix are combinations of others: one of many equal solutions was taken."""
