"""What the forecasts say, with data sets as the unit, as rows of tables."""

import numpy as np

from course.studies.how_much_data.forecasts import CUTS, SAME, TIMES, TOOL, Forecasts, Rows, Share, of_law, over_sets
from course.studies.how_much_data.laws import LAWS
from course.studies.two_regimes.leads import TITLES


def coverage(of: Forecasts, which: Rows, resamples: int, seed: int, misfit: float | None = None) -> Share:
    """How often the package's interval holds what was measured; misfit : another one than the package's."""
    values = of.covers(TOOL) if misfit is None else of.covers_with(misfit)
    return over_sets(of, values, which, resamples, np.random.default_rng([seed, 5]))


def coverage_by_law(of: Forecasts, resamples: int, seed: int) -> dict[str, dict[int, Share]]:
    """By title and distance; the package's own law without and with the misfit at the end."""
    rng = np.random.default_rng([seed, 1])
    covers = {LAWS[law].title: of.covers(law) for law in LAWS}
    covers |= {"package, no misfit": of.covers_with(0), "package": of.covers(TOOL)}
    return {
        name: {times: over_sets(of, each, of.times == times, resamples, rng) for times in TIMES}
        for name, each in covers.items()
    }


def excess(of: Forecasts, law: str, times: int, resamples: int, seed: int) -> Share:
    """By how much more a law misses than the package's does."""
    rng = np.random.default_rng([seed, 2, times])
    return over_sets(of, of.miss(law) - of.miss(TOOL), of.times == times, resamples, rng)


def misses(of: Forecasts, resamples: int, seed: int) -> list[list[str]]:
    """Law, formula, and for each distance the mean miss and how much more that is than the package's, in points."""
    rows = []
    for law in [*LAWS, TOOL, SAME]:
        row = []
        for times in TIMES:
            more = excess(of, law, times, resamples, seed)
            mean = over_sets(of, of.miss(law), of.times == times, 2, np.random.default_rng(seed)).mean
            difference = f"{100 * more.mean:+.2f} ({100 * more.low:+.2f} to {100 * more.high:+.2f})".replace("-", "−")
            row += [f"{100 * mean:.2f}", "" if law == TOOL else difference]
        rows.append([of_law(law), f"${LAWS[law].formula}$" if law in LAWS else "", *row])
    return rows


def by_seen(of: Forecasts, resamples: int, seed: int) -> list[list[str]]:
    """Size of the cut, distance, and coverage of what is supported, of what is not, and of all without the misfit."""
    rows = []
    for times in TIMES:
        for cut in CUTS:
            which = (of.times == times) & (of.seen == cut)
            parts = [which & of.supported, which & ~of.supported]
            shares = [coverage(of, part, resamples, seed) for part in parts]
            before = coverage(of, which, resamples, seed, misfit=0)
            rows.append([f"{cut:,}", f"{times} times", *(s.in_percent() for s in (*shares, before))])
    return rows


def halves(of: Forecasts, resamples: int, seed: int) -> list[list[str]]:
    """Coverage of supported predictions on both halves, without and with the misfit."""
    rows = []
    for half, chosen in (("chosen on", of.chosen_on), ("verified on", ~of.chosen_on)):
        for times in TIMES:
            which = chosen & of.supported & (of.times == times)
            shares = [coverage(of, which, resamples, seed, misfit=misfit) for misfit in (0.0, None)]
            rows.append([half, f"{times} times", str(shares[0].sets), *(share.in_percent() for share in shares)])
    return rows


def by_learner(of: Forecasts, resamples: int, seed: int) -> list[list[str]]:
    """Learner, share of its predictions at twice the size that are supported, and coverage of these and the others."""
    rows = []
    for learner in np.unique(of.learner):
        which = (of.learner == learner) & (of.times == 2)
        parts = [coverage(of, which & kind, resamples, seed).in_percent() for kind in (of.supported, ~of.supported)]
        rows.append([TITLES[str(learner)], f"{100 * of.supported[which].mean():.0f}", *parts])
    return rows
