"""What is wrong with what the site is made of."""

from probml.errors import ProbmlError


class SiteError(ProbmlError):
    """A page cannot be made of what there is. The message names the note and the place in it."""
