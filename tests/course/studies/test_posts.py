"""Header, footer and quotes of a post: by hand, and against scikit-learn's functions on all posts of 20 Newsgroups."""

import pytest
from sklearn.datasets import _twenty_newsgroups as peer

from course import datasets
from course.studies.posts import body, with_two_header_lines, without_footer, without_header, without_quotes

POST = """From: ada@engine.uk
Subject: Re: numbers

charles@engine.uk writes:
> Has it any pretensions?
| None.
None whatever.
In article <1842> somebody asked.

It does what we order.
It said: nothing.

--
Ada
"""


def test_by_hand():
    assert without_header(POST).startswith("charles@engine.uk writes:")
    assert without_footer(POST).endswith("It said: nothing.\n")
    assert with_two_header_lines("From: a\nLines: 1\nSubject: b\n\nc\n") == "From: a\nSubject: b\n\nc\n"
    assert without_quotes("> a\nb > c\n | d\n| e\nshe wrote: f") == "b > c\n | d"
    assert body(POST) == "None whatever.\n\nIt does what we order.\n"


@pytest.mark.parametrize(
    ("part", "expected"),
    [(without_header, ["", "", "b", ""]), (without_footer, ["", "a", "a", "a\n\n"]), (without_quotes, None)],
    ids=["header", "footer", "quotes"],
)
def test_ends(part, expected):
    posts = ["", "a", "a\n\nb", "a\n\n"]
    assert [part(post) for post in posts] == (posts if expected is None else expected)


def test_scikit_learn_strips_the_same_on_all_posts():
    pairs = (
        (without_header, peer.strip_newsgroup_header),
        (without_footer, peer.strip_newsgroup_footer),
        (without_quotes, peer.strip_newsgroup_quoting),
    )
    posts = datasets.load("newsgroups-raw").X
    assert len(posts) == 18846
    left = posts
    for ours, theirs in pairs:  # each on the raw posts, and on what those before it leave
        assert [ours(post) for post in posts] == [theirs(post) for post in posts]
        left = [theirs(post) for post in left]
    assert [body(post) for post in posts] == left
