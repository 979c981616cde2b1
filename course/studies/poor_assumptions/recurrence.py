"""Does a word that was used once come again: in the same post, in its thread, from its author, in its group?"""

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from course import datasets
from course.studies.posts import body

Array = NDArray[np.float64]

LEVELS = (
    "a post of another group",
    "another post of the group",
    "same author, another thread",
    "same thread, another author",
    "same thread and author",
    "the same post",
)
SAME_GROUP, SAME_AUTHOR, SAME_THREAD, SAME_BOTH, SAME_POST = range(1, len(LEVELS))
_WORD = re.compile(r"[a-z]+")
_REPLY = re.compile(r"^(\s*re\s*:)+\s*")
_ADDRESS = re.compile(r"[\w.+-]+@[\w.-]+")


class Post(NamedTuple):
    """The two windows of a post as counts of their words, and where the post belongs."""

    group: Hashable
    thread: Hashable
    author: Hashable
    first: Counter[str]
    second: Counter[str]


class Pairs(NamedTuple):
    """A row for each word of each first window: a pair of a word and a post.

    again : the proportion of second windows, of those that LEVELS names, that hold the word; nan where there are none.
        Shape (pairs, levels).
    beta : the word's proportion of all words of the group's other posts, β of the multinomial model. Shape (pairs,).
    count : how often the first window holds the word. Shape (pairs,).
    post, thread : numbers of what the pair belongs to. Shape (pairs,).
    """

    again: Array
    beta: Array
    count: NDArray[np.intp]
    post: NDArray[np.intp]
    thread: NDArray[np.intp]

    def comparable(self) -> "Pairs":
        """Only pairs for which every level has a window to look at."""
        return self._of(np.isfinite(self.again).all(axis=1))

    def means(self) -> Array:
        """The chance of the word at each level, shape (levels,)."""
        return self.again.mean(axis=0)

    def intervals(self, rng: np.random.Generator, draws: int = 500) -> Array:
        """Low and high end of 95 % intervals of `means`, by resampling threads. Shape (2, levels)."""
        sums = np.column_stack([np.bincount(self.thread, weights=column) for column in self.again.T])
        pairs = np.bincount(self.thread)
        times = rng.multinomial(len(pairs), np.full(len(pairs), 1 / len(pairs)), size=draws)
        return np.quantile((times @ sums) / (times @ pairs)[:, None], [0.025, 0.975], axis=0)

    def _of(self, rows: NDArray[np.bool_]) -> "Pairs":
        again, beta, count, post, thread = (column[rows] for column in self)
        return Pairs(again, beta, count, post, np.unique(thread, return_inverse=True)[1])


def usenet_posts(window: int) -> list[Post]:
    """All posts of 20 Newsgroups whose own words, without header, quotes and signature, fill two windows."""
    data = datasets.load("newsgroups-raw")
    found = []
    for part in (data.train, data.test):
        for text, group in zip(part.X, part.y, strict=True):
            windows = two_windows(_WORD.findall(body(text).lower()), window)
            if windows:
                subject, sender = (_field(text, name) for name in ("Subject", "From"))
                found.append(Post(int(group), (int(group), _REPLY.sub("", subject)), _author(sender), *windows))
    return found


def two_windows(words: Sequence[str], window: int) -> tuple[Counter[str], Counter[str]] | None:
    """Counts of the first `window` words and of as many that follow; None if there are too few."""
    if len(words) < 2 * window:
        return None
    return Counter(words[:window]), Counter(words[window : 2 * window])


def pairs(posts: Sequence[Post], at_least: int, at_most: int) -> Pairs:
    """All pairs of a post and a word of its first window that from `at_least` to `at_most` posts contain.

    Among the posts of one author in one thread, a post that was sent twice counts once.
    """
    held_by = Counter(word for post in posts for word in post.first.keys() | post.second.keys())
    group, thread = _rows(post.group for post in posts), _rows(post.thread for post in posts)
    author = _rows((post.group, post.author) for post in posts)
    in_second = {name: Counter(word for row in rows for word in posts[row].second) for name, rows in group.items()}
    anywhere = Counter(word for post in posts for word in post.second)
    spoken = {name: _added(w for row in rows for w in posts[row][-2:]) for name, rows in group.items()}
    length = {name: counts.total() for name, counts in spoken.items()}
    thread_number = {name: number for number, name in enumerate(thread)}
    found = []
    for row, post in enumerate(posts):
        same_author = [r for r in author[post.group, post.author] if posts[r].thread != post.thread]
        same_thread = [r for r in thread[post.thread] if posts[r].author != post.author]
        same_both = [
            r
            for r in thread[post.thread]
            if posts[r].author == post.author and (posts[r].first, posts[r].second) != (post.first, post.second)
        ]
        own, others = post.first + post.second, len(group[post.group]) - 1
        for word in sorted(post.first):
            if at_least <= held_by[word] <= at_most:
                here, of_group = word in post.second, in_second[post.group][word]
                beta = (spoken[post.group][word] - own[word]) / (length[post.group] - own.total())
                again = (
                    (anywhere[word] - of_group) / (len(posts) - others - 1),
                    (of_group - here) / others,
                    _proportion(word, posts, same_author),
                    _proportion(word, posts, same_thread),
                    _proportion(word, posts, same_both),
                    float(here),
                )
                found.append((*again, beta, post.first[word], row, thread_number[post.thread]))
    table = np.array(found)
    whole = table[:, len(LEVELS) + 1 :].astype(np.intp)
    return Pairs(table[:, : len(LEVELS)], table[:, len(LEVELS)], *whole.T)


def _proportion(word: str, posts: Sequence[Post], rows: Sequence[int]) -> float:
    return sum(word in posts[row].second for row in rows) / len(rows) if rows else float("nan")


def _added(counts: Iterable[Counter[str]]) -> Counter[str]:
    """The sum of all counts."""
    total = Counter()
    for each in counts:
        total.update(each)
    return total


def _rows(keys: Iterable[Hashable]) -> dict[Hashable, list[int]]:
    """For each key the rows that have it."""
    found = defaultdict(list)
    for row, key in enumerate(keys):
        found[key].append(row)
    return found


def _field(post: str, name: str) -> str:
    """What follows the name of a field in the header, in lower case."""
    found = re.search(rf"^{name}:(.*)$", post.partition("\n\n")[0], re.MULTILINE)
    return found.group(1).lower().strip() if found else ""


def _author(sender: str) -> str:
    """The address, or what there is."""
    found = _ADDRESS.search(sender)
    return found.group(0) if found else sender
