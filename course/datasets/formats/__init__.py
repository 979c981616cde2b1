"""Readers, one for each file format: `read(files, **options)` turns the bytes of a set's files into a `Table`."""

from collections.abc import Callable

from course.datasets.dataset import Table
from course.datasets.formats import (
    delimited,
    idx,
    labelled_lines,
    movie_reviews,
    newsgroups_pickle,
    orange_table,
    orange_text,
    sick,
)

READERS: dict[str, Callable[..., Table]] = {
    "delimited": delimited.read,
    "idx": idx.read,
    "labelled-lines": labelled_lines.read,
    "movie-reviews": movie_reviews.read,
    "newsgroups-pickle": newsgroups_pickle.read,
    "orange-table": orange_table.read,
    "orange-text": orange_text.read,
    "sick": sick.read,
}
