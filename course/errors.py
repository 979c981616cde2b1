"""Errors of data and of the making of notes: one message that names what was received and what to do about it."""

from probml.errors import ProbmlError


class DataError(ProbmlError):
    """A data set could not be fetched, verified or read."""


class UnknownDataError(DataError, ValueError):
    """No data set of that name is registered."""


class NotebookError(ProbmlError):
    """A notebook is missing, malformed, or raised while it was executed."""


class ClaimError(ProbmlError, ValueError):
    """A claim about a published number is incomplete."""


class ResultsError(ProbmlError):
    """The results on disk are not what the pipeline declares, or could not be compared."""


class EquationError(ProbmlError, ValueError):
    """The ledger of equations is not whole: an entry is malformed, or it and its check do not find each other."""


class CitationError(ProbmlError, ValueError):
    """The bibliography is malformed, or a note cites what it does not have."""


class FormError(ProbmlError, ValueError):
    """A note is not in the form that notes have."""
