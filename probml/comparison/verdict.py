"""What the race says: every answer as numbers with intervals, and in words that follow from the intervals."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from probml.comparison.extrapolation import LEVEL, Extrapolation, bootstrap, ends, interval
from probml.comparison.race import HELD_OUT, Race
from probml.typing import Array, Indices, Mask

Answer = dict[str, Any]
AHEAD = {2: "twice", 10: "ten times"}  # the rows there are
MEASURES = ("error", "log_loss")


def answers(race: Race, seed: int, batch: int | None = None) -> Answer:
    """Everything that table, report and JSON show. batch : rows of one more batch of labels; a tenth if None."""
    N = len(race.examples.y)
    batch = batch or max(1, N // 10)
    rng = np.random.default_rng([seed, race.planned, 2])
    losses: Mapping[str, Array] = {"error": race.error, "log_loss": race.log_loss}
    replicates = {measure: bootstrap(losses[measure], HELD_OUT, rng) for measure in MEASURES}
    laws = {
        measure: [
            Extrapolation.of(race.sizes, mean, replicates[measure][:, m], spread, rng)
            for m, (mean, spread) in enumerate(
                zip(losses[measure].mean(axis=0), losses[measure].std(axis=0, ddof=1), strict=True)
            )
        ]
        for measure in MEASURES
    }
    curves = [_curve(race, m, losses) for m in range(len(race.contenders))]
    today = _today(race, curves)
    found = {
        "data": _data(race),
        "settings": {
            "seed": seed,
            "level": LEVEL,
            "splits": len(race.error),
            "splits_planned": race.planned,
            "sizes": race.sizes,
            "held_out": race.held_out,
            "batch": batch,
        },
        "curves": curves,
        "today": today,
        "crossings": _crossings(race, replicates["error"]),
        "ahead": [_ahead(race, laws, times * N, times, today["not_worse"]) for times in AHEAD],
        "batch": [_batch(race, laws, m, N, batch) for m in range(len(race.contenders))],
        "calibration": _calibration(race),
    }
    found["recommendation"] = _recommendation(race, today, found)
    return rounded(found)


def rounded(value: Any) -> Any:  # noqa: ANN401
    """Plain numbers of six digits, so that the same seed gives the same bytes; None for what is not finite."""
    if isinstance(value, Mapping):
        return {str(key): rounded(each) for key, each in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [rounded(each) for each in value]
    if isinstance(value, float | np.floating):
        return float(f"{value:.6g}") + 0.0 if np.isfinite(value) else None
    return int(value) if isinstance(value, np.integer) else value


def _data(race: Race) -> Answer:
    examples = race.examples
    count = np.bincount(examples.y)
    return {
        "source": examples.source,
        "target": examples.target,
        "rows": len(examples.y),
        "classes": dict(zip(examples.classes, count.tolist(), strict=True)),
        "columns": [
            {"name": column.name, "kind": column.described, "missing": column.missing} for column in examples.columns
        ],
        "left_out": dict(examples.left_out),
        "notices": list(examples.notices),
    }


def _curve(race: Race, m: int, losses: Mapping[str, Array]) -> Answer:
    contender = race.contenders[m]
    curve: Answer = {"name": contender.name, "what": contender.what, "note": contender.note}
    for measure in MEASURES:
        least = 1 / np.sqrt(len(race.examples.y) * race.held_out)  # as if one row of all were an error
        mean, low, high = interval(losses[measure][:, m], HELD_OUT, least if measure == "error" else 0.0)
        curve[measure] = {"mean": mean, "low": np.maximum(low, 0), "high": high}
    return curve


def _not_worse(losses: Array, among: Mask) -> Mask:
    """Contenders whose loss is not shown to be above the smallest, of losses of shape (R, M)."""
    best = np.where(among, losses.mean(axis=0), np.inf).argmin()
    _, low, _ = interval(losses - losses[:, best, None], HELD_OUT)
    return among & ~(low > 0)


def _guess(race: Race) -> Answer:
    """Worth of a guess without columns: errors of the most frequent class, log loss of the shares of the classes."""
    shares = np.bincount(race.examples.y) / len(race.examples.y)
    return {
        "name": race.examples.classes[int(shares.argmax())],
        "error": 1 - shares.max(),
        "log_loss": -(shares * np.log(shares)).sum(),
    }


def _today(race: Race, curves: Sequence[Answer]) -> Answer:
    """At the largest size: who may be the best by errors, who of those also by log loss, and who beats a guess."""
    everyone = np.ones(len(race.contenders), dtype=np.bool_)
    by_error = _not_worse(race.error[:, :, -1], everyone)
    by_both = _not_worse(race.log_loss[:, :, -1], by_error)
    guess = _guess(race)
    return {
        "size": race.sizes[-1],
        "guess": guess,
        "better_than_guess": {
            measure: [curve["name"] for curve in curves if curve[measure]["high"][-1] < guess[measure]]
            for measure in MEASURES
        },
        "lowest": race.contenders[int(race.error[:, :, -1].mean(axis=0).argmin())].name,
        "not_worse": _names(race, by_error),
        "nor_in_log_loss": _names(race, by_both),
    }


def _names(race: Race, which: Mask) -> list[str]:
    return [contender.name for contender, is_in in zip(race.contenders, which, strict=True) if is_in]


def _crossings(race: Race, replicates: Array) -> list[Answer]:
    """Pairs of which one is clearly ahead at some size and the other at a larger one, and where they change places."""
    found = []
    M = len(race.contenders)
    for i, j in ((i, j) for i in range(M) for j in range(M) if i != j):
        _, low, high = interval(race.error[:, i] - race.error[:, j], HELD_OUT)
        ahead, behind = np.flatnonzero(high < 0), np.flatnonzero(low > 0)
        if len(ahead) and len(behind) and ahead[0] < behind[-1]:
            first, last = int(ahead[ahead < behind[-1]][-1]), int(behind[-1])
            at = crossing(race.sizes, (race.error[:, i] - race.error[:, j]).mean(axis=0)[None], first, last)
            drawn = crossing(race.sizes, replicates[:, i] - replicates[:, j], first, last)
            low_end, high_end = ends(drawn)
            names = race.contenders[i].name, race.contenders[j].name
            found.append({"below": names[0], "above": names[1], "size": at[0], "low": low_end, "high": high_end})
    return found


def crossing(sizes: Indices, difference: Array, first: int, last: int) -> Array:
    """Where the difference, shape (B, S), last rises above 0 from size `first` to `last`, on a scale of log n.

    Where it does so at none of these sizes, the end on whose side it stays: `last` if it is below 0 throughout.
    """
    x, d = np.log(sizes[first : last + 1]), difference[:, first : last + 1]
    rises = (d[:, :-1] <= 0) & (d[:, 1:] > 0)
    k = rises.shape[1] - 1 - rises[:, ::-1].argmax(axis=1)
    rows = np.arange(len(d))
    before, after = d[rows, k], d[rows, k + 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        at = x[k] + (x[k + 1] - x[k]) * before / (before - after)
    at = np.where(rises.any(axis=1), at, np.where(d[:, -1] > 0, x[0], x[-1]))
    return np.asarray(np.exp(at))


def _ahead(race: Race, laws: Mapping[str, list[Extrapolation]], n: int, times: int, today: list[str]) -> Answer:
    """Predictions for n rows, and who may then be the best of those for whom they are supported.

    Nobody is named unless predictions are supported for all who may be the best today.
    """
    predictions = []
    for m, contender in enumerate(race.contenders):
        prediction: Answer = {"name": contender.name}
        for measure in MEASURES:
            value, low, high = laws[measure][m].at(n)
            prediction[measure] = {"value": value, "low": low, "high": high, "against": laws[measure][m].against(n)}
        predictions.append(prediction)
    supported = np.array([not prediction["error"]["against"] for prediction in predictions])
    best = np.where(supported, [prediction["error"]["value"] for prediction in predictions], np.inf).argmin()
    drawn = [law.drawn(n) for law in laws["error"]]
    worse = np.array([ends(each - drawn[best])[0] > 0 for each in drawn])
    known = set(today) <= set(_names(race, supported))
    winners = _names(race, supported & ~worse) if known else []
    return {"times": times, "rows": n, "predictions": predictions, "not_worse": winners}


def _batch(race: Race, laws: Mapping[str, list[Extrapolation]], m: int, N: int, batch: int) -> Answer:
    law = laws["error"][m]
    value, low, high = law.gain(N, batch)
    return {
        "name": race.contenders[m].name,
        "fewer": value,
        "low": low,
        "high": high,
        "against": law.against(N + batch),
    }


def _calibration(race: Race) -> list[Answer]:
    """Probability given to the class predicted v. share of right ones, at the largest size; too sure by the gap."""
    found = []
    for m, contender in enumerate(race.contenders):
        count, said, right = np.moveaxis(race.bins[:, m], -1, 0)
        gap, low, high = interval((said.sum(axis=1) - right.sum(axis=1)) / race.held_out, HELD_OUT)
        total, said, right = count.sum(axis=0), said.sum(axis=0), right.sum(axis=0)
        used = total > 0
        found.append(
            {
                "name": contender.name,
                "said": said.sum() / total.sum(),
                "right": right.sum() / total.sum(),
                "gap": gap,
                "low": low,
                "high": high,
                "expected_error": float(np.abs(said - right).sum() / total.sum()),
                "bins": {
                    "share": total[used] / total.sum(),
                    "said": said[used] / total[used],
                    "right": right[used] / total[used],
                },
            }
        )
    return found


def _recommendation(race: Race, today: Answer, found: Answer) -> Answer:
    """The first, in order of preference, of those that are not shown to be worse; none, if none beats a guess."""
    equals, rest = today["not_worse"], today["nor_in_log_loss"]
    name = rest[0]
    m = [contender.name for contender in race.contenders].index(name)
    size = f"{int(today['size']):,}"
    guess, better = today["guess"], today["better_than_guess"]
    guessing = f"always saying “{guess['name']}”, which errs in {100 * guess['error']:.1f}%"
    if not set(equals) & {*better["error"], *better["log_loss"]}:
        reason = (
            f"With {size} rows to learn from, no classifier is shown to be better than {guessing}, nor are its "
            "probabilities than the shares of the classes."
        )
        return {"name": "none", "reasons": [reason], "note": ""}
    if len(equals) == 1:
        reasons = [f"With {size} rows to learn from it makes clearly fewer errors than each of the others."]
    else:
        reasons = [f"With {size} rows to learn from, these data show no difference in errors between {listed(equals)}."]
        if len(rest) == 1:
            reasons.append("Of these, its probabilities are clearly the best (log loss).")
        else:
            among = "" if rest == equals else f"; nor, in log loss, between {listed(rest)}"
            reasons[0] = reasons[0].rstrip(".") + among + "."
            reasons.append(f"Take it for another reason: {race.contenders[m].why}.")
    if name not in better["error"]:
        worth = "its probabilities are better than the shares of the classes"
        others = [each for each in equals if each in better["error"] + better["log_loss"]]
        but = worth if name in better["log_loss"] else f"of its equals, {listed(others)} can be said to beat a guess"
        reasons.append(f"It is not shown to make fewer errors than {guessing}; {but}.")
    calibration = found["calibration"][m]
    if calibration["low"] > 0:
        reasons.append(
            f"It is too sure of itself, by {100 * calibration['gap']:.1f} points: calibrate its probabilities "
            "before you use them."
        )
    for crossed in found["crossings"]:
        if name == crossed["above"] and crossed["below"] not in equals:
            below = significant(crossed["size"])
            reasons.append(f"With fewer than about {below} rows, {crossed['below']} was ahead of it.")
    for ahead in found["ahead"]:
        if ahead["not_worse"] and name not in ahead["not_worse"] and not ahead["predictions"][m]["error"]["against"]:
            reasons.append(f"With {AHEAD[ahead['times']]} the rows, expect {listed(ahead['not_worse'])} to be ahead.")
    return {"name": name, "reasons": reasons, "note": race.contenders[m].note}


def listed(names: Sequence[str]) -> str:
    """A, B and C."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def significant(n: float) -> str:
    """A number of rows, of two digits."""
    return f"{int(float(f'{n:.2g}')):,}"
