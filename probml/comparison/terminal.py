"""The answers as text."""

from textwrap import fill

from probml.comparison.verdict import AHEAD, Answer, listed, significant

WIDTH = 110


def text(found: Answer) -> str:
    """Recommendation, table of errors, and one paragraph for each question."""
    advice = found["recommendation"]
    head = [
        about(found["data"]),
        *found["data"]["notices"],
        *(f"Left out: {name}: {reason}" for name, reason in found["data"]["left_out"].items()),
        *interrupted(found),
    ]
    recommended = [f"Recommended: {advice['name']}. {' '.join(advice['reasons'])}", *explained(advice)]
    blocks = ["\n".join(map(_wrapped, head)), "\n".join(map(_wrapped, recommended)), _table(found)]
    return "\n\n".join([*blocks, *map(_wrapped, sentences(found))]) + "\n"


def _wrapped(paragraph: str) -> str:
    return fill(paragraph, WIDTH, break_long_words=False, break_on_hyphens=False)


def about(data: Answer) -> str:
    """What the table is."""
    classes = ", ".join(f"{name} ({count:,})" for name, count in data["classes"].items())
    return f"{data['source']}: {data['rows']:,} rows, {len(data['columns'])} columns; {data['target']}: {classes}"


def explained(advice: Answer) -> list[str]:
    """Which note explains the classifier that is recommended, if one is."""
    return [f"Explained in note {advice['note']}."] if advice["note"] else []


def interrupted(found: Answer) -> list[str]:
    """That the race ended early, if it did."""
    done, planned = found["settings"]["splits"], found["settings"]["splits_planned"]
    return [f"Interrupted: {done} of {planned} splits are done, and all intervals are wider for it."] * (done < planned)


def errors(found: Answer) -> list[list[str]]:
    """A row of names, and one for each contender: error in % at every third size back from the largest, and ahead."""
    sizes = found["settings"]["sizes"]
    shown = range(len(sizes) - 1, -1, -3)[::-1]
    ahead = [f"{each['rows']:,} (×{each['times']})" for each in found["ahead"]]
    rows = [["error in %, rows:", *(f"{sizes[s]:,}" for s in shown), *ahead]]
    for m, curve in enumerate(found["curves"]):
        mean, low, high = (curve["error"][key] for key in ("mean", "low", "high"))
        predicted = [each["predictions"][m]["error"] for each in found["ahead"]]
        rows.append(
            [
                curve["name"],
                *(_percent(mean[s], low[s], high[s]) for s in shown),
                *(_percent(p["value"], p["low"], p["high"]) + (" ?" if p["against"] else "  ") for p in predicted),
            ]
        )
    return rows


def _percent(value: float, low: float, high: float) -> str:
    return f"{100 * value:.1f} ({100 * low:.1f}–{100 * high:.1f})"


def _table(found: Answer) -> str:
    rows = errors(found)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    sides = "<" + ">" * (len(widths) - 1)
    lines = [
        "  ".join(f"{cell:{side}{width}}" for cell, side, width in zip(row, sides, widths, strict=True)) for row in rows
    ]
    return "\n".join([*(line.rstrip() for line in lines), marks(found)])


def marks(found: Answer) -> str:
    """What brackets and question marks in the table mean."""
    level = round(100 * found["settings"]["level"])
    return f"With {level}% intervals. The last two columns are extrapolated; “?”: not supported, for the reasons given."


def sentences(found: Answer) -> list[str]:
    """One paragraph for each question."""
    return [_who_wins(found), *map(_ahead, found["ahead"]), _crossings(found), _batch(found), _calibration(found)]


def _who_wins(found: Answer) -> str:
    today = found["today"]
    start = f"Today, with {today['size']:,} of your rows to learn from:"
    guess = f"Always saying “{today['guess']['name']}” errs in {100 * today['guess']['error']:.1f}%."
    if len(today["not_worse"]) == 1:
        return f"{start} {today['lowest']} makes clearly fewer errors than each of the others. {guess}"
    return f"{start} no difference in errors that these data can show between {listed(today['not_worse'])}. {guess}"


def _ahead(ahead: Answer) -> str:
    start = f"With {AHEAD[ahead['times']]} the rows ({ahead['rows']:,}):"
    reasons: dict[str, list[str]] = {}
    for prediction in ahead["predictions"]:
        if against := prediction["error"]["against"]:
            reasons.setdefault(against, []).append(prediction["name"])
    warnings = [f"Not supported for {listed(names)}: {reason}." for reason, names in reasons.items()]
    winners = ahead["not_worse"]
    if not winners:
        warnings.insert(0, "who would be ahead cannot be said.")
    elif len(winners) == 1:
        warnings.insert(0, f"{winners[0]} would be ahead{' of those that can be predicted' if reasons else ''}.")
    else:
        warnings.insert(0, f"no difference that can be predicted between {listed(winners)}.")
    return " ".join([start, *warnings])


def _crossings(found: Answer) -> str:
    crossed = [
        f"{each['below']} is ahead of {each['above']} up to about {significant(each['size'])} rows "
        f"({significant(each['low'])} to {significant(each['high'])})"
        for each in found["crossings"]
    ]
    return f"Crossings: {'; '.join(crossed) or 'none that these data can show'}."


def _batch(found: Answer) -> str:
    name = found["today"]["nor_in_log_loss"][0]
    each = next(each for each in found["batch"] if each["name"] == name)
    start = f"One more batch of {found['settings']['batch']:,} labelled rows, with {name}:"
    if each["against"]:
        return f"{start} its worth cannot be said: {each['against']}."
    fewer, low, high = (1000 * each[key] for key in ("fewer", "low", "high"))
    return f"{start} about {fewer:.1f} fewer errors in 1,000 predictions ({low:.1f} to {high:.1f})."


def _calibration(found: Answer) -> str:
    said, neither = [], []
    for each in found["calibration"]:
        if each["low"] > 0 or each["high"] < 0:
            low, high = sorted(100 * abs(each[end]) for end in ("low", "high"))
            words = "too sure" if each["gap"] > 0 else "not sure enough"
            said.append(f"{each['name']} is {words} by {100 * abs(each['gap']):.1f} points ({low:.1f} to {high:.1f})")
        else:
            neither.append(each["name"])
    if neither:
        said.append(f"{listed(neither)}: nothing wrong that these data can show")
    return f"Calibration (probability of the class predicted, less the share that is right): {'; '.join(said)}."
