"""All rows, in the order of the table."""

from benchmarks.rows import curves, direct, discriminant, linear, naive_bayes, text

ROWS = {
    row.name: row
    for row in (*text.ROWS, *naive_bayes.ROWS, *discriminant.ROWS, *linear.ROWS, *direct.ROWS, *curves.ROWS)
}
