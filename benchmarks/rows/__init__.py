"""All rows, in the order of the tables."""

from benchmarks.rows import automatic, curves, discriminant, linear, metrics, naive_bayes, text

ROWS = {
    row.name: row
    for row in (
        *naive_bayes.ROWS,
        *discriminant.ROWS,
        *linear.ROWS,
        *text.ROWS,
        *metrics.ROWS,
        *curves.ROWS,
        *automatic.ROWS,
    )
}
