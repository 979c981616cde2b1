"""All rows at a glance: how many times as long the best peer takes."""

from benchmarks.report import Rows, Verdict, best, by_problem, families, peers, tasks, with_verdict
from course.figures import BLACK, BLUE, GREEN, GREY, VERMILLION, figure, png

LINE = 0.17  # inches of a problem
FRAME = 1.6  # inches above and below
# Tasks are told apart by their forms, too.
STYLES = {"predict": (VERMILLION, "s"), "transform": (GREEN, "^")}
FIRST = (BLUE, "o")  # of all other tasks
LIMITS = (0.08, 120.0)  # ratios beyond stand at the edge


def finding(rows: Rows) -> str:
    """What comes out, in a sentence without its full stop."""
    ahead, behind = (len(with_verdict(rows, which)) for which in (Verdict.AHEAD, Verdict.BEHIND))
    return f"Ahead of the fastest peer in {ahead} of {len(peers(rows))} rows, behind in {behind}"


def picture(rows: Rows) -> bytes:
    """A line for each problem and a dot for each task, with its range; PNG, the same bytes for the same rows."""
    lines: list[tuple[str, str, str]] = []  # family, problem, what is written beside it
    for family in families(rows):
        lines.append((family, "", family))
        lines += [(family, name, name) for name in by_problem(rows, family)]
    fig, ax = figure(width=8.0, height=FRAME + LINE * len(lines))
    for at, (family, name, _) in enumerate(lines):
        of = by_problem(rows, family).get(name, {})
        for place, task in enumerate(tasks(rows, family)):
            fastest = best(of[task]) if task in of else None
            if fastest and fastest.ratio:
                colour, form = STYLES.get(task, FIRST)
                low, median, high = (
                    min(max(each, LIMITS[0]), LIMITS[1])
                    for each in (fastest.ratio.low, fastest.ratio.median, fastest.ratio.high)
                )
                y = at + 0.22 * (place - 0.5 * (len(of) - 1))
                ax.plot([low, high], [y, y], color=colour, linewidth=1.3)
                ax.plot(median, y, form, color=colour, markersize=4.5)
    ax.axvline(1, color=BLACK, linewidth=1.2)
    ax.set_xscale("log")
    ax.set_xlim(*LIMITS)
    ticks = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100]
    ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.set_xticks([], minor=True)
    ax.tick_params(axis="x", top=True, labeltop=True)
    ax.set_yticks(range(len(lines)), [label for *_, label in lines], fontsize=8.5)
    for label, (_, name, _) in zip(ax.get_yticklabels(), lines, strict=True):
        label.set_color(BLACK if name else GREY)
        label.set_fontweight("normal" if name else "bold")
    ax.set_ylim(len(lines) - 0.4, -0.6)
    ax.grid(axis="y", linewidth=0.4)
    ax.set_xlabel("time of the fastest peer / time of ours: to the right of 1 we are faster")
    ax.set_title(finding(rows), pad=16)
    for name, (colour, form) in {"fit, compute": FIRST, **STYLES}.items():
        ax.plot([], [], form, color=colour, label=name)
    fig.legend(loc="outside lower center", ncols=3)
    return png(fig)
