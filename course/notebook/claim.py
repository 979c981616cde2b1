"""A published number set beside ours."""

from dataclasses import asdict, dataclass
from typing import Literal, get_args

from course.errors import ClaimError

Attested = Literal["seen", "quoted", "recalled", "computed"]
Value = float | str


@dataclass(frozen=True)
class Claim:
    """One published value and ours.

    attested : "seen" in the publication; "quoted" in another work that cites it; "recalled" without a source at hand.
        "computed" in the same run by another library: a check, which the ledger keeps apart from published numbers.
    tolerance : largest absolute difference that counts as agreement; None for values that must be equal.
    because : why the two differ, for the reader. Only a difference from a recalled value may stay unexplained.
    remark : what is known of a difference that stays so.
    """

    id: str
    source: str
    quantity: str
    published: Value
    attested: Attested
    ours: Value
    tolerance: float | None
    because: str = ""
    remark: str = ""

    def __post_init__(self) -> None:
        if self.attested not in get_args(Attested):
            raise ClaimError(f"claim {self.id}: attested is {self.attested!r}, expected one of {get_args(Attested)}")
        numeric = not isinstance(self.published, str)
        if numeric == isinstance(self.ours, str):
            raise ClaimError(f"claim {self.id}: {self.published!r} and {self.ours!r} are not of one kind")
        if numeric != (self.tolerance is not None):
            raise ClaimError(f"claim {self.id}: numbers need a tolerance and other values none, got {self.tolerance!r}")
        if self.verdict == "differs" and self.attested != "recalled" and not self.because:
            raise ClaimError(
                f"claim {self.id}: published {self.published}, ours {self.ours}, tolerance {self.tolerance}: "
                f"a difference from a value that is {self.attested} needs an explanation (because=...)"
            )

    @property
    def verdict(self) -> Literal["agrees", "differs"]:
        """Whether ours equals the published value, within the tolerance."""
        if self.tolerance is None:
            return "agrees" if self.ours == self.published else "differs"
        # A hair is added so that .85 and .86 agree within .01, whatever their binary digits; NaN never agrees.
        return "agrees" if abs(self.ours - self.published) <= self.tolerance + 1e-12 else "differs"

    def __str__(self) -> str:
        theirs = (
            f"library {self.published}"
            if self.attested == "computed"
            else f"published {self.published} ({self.attested})"
        )
        return f"{self.quantity}: {theirs}, ours {self.ours}: {self.verdict}"

    def as_json(self) -> dict[str, Value | None]:
        """All fields and the verdict; explanation and remark only where there is something to explain."""
        fields = {**asdict(self), "verdict": self.verdict}
        if self.verdict == "agrees":
            fields["because"] = fields["remark"] = ""
        if not fields["remark"]:
            del fields["remark"]
        return fields
