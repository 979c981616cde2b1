"""The parts of a Usenet post that are not its author's words on the matter: header, signature, quotations."""

INTRODUCES_A_QUOTATION = ("writes in", "writes:", "wrote:", "says:", "said:")
BEGINS_A_QUOTED_LINE = (">", "|", "In article", "Quoted from")


def without_header(post: str) -> str:
    """What follows the first empty line: the header ends there. A post without an empty line is all header."""
    end = post.find("\n\n")
    return "" if end < 0 else post[end + 2 :]


def with_two_header_lines(post: str) -> str:
    """Of the header only sender and subject, as the 18828 version of 20 Newsgroups has it."""
    kept = [line for line in post.partition("\n\n")[0].split("\n") if line.startswith(("From:", "Subject:"))]
    return "\n".join([*kept, "", without_header(post)])


def without_footer(post: str) -> str:
    """What precedes the last line that is blank or made of hyphens, since a signature is set apart by one.

    Blank lines around the post do not count. A post of one paragraph is left as it is.
    """
    lines = post.strip().split("\n")
    apart = [number for number, line in enumerate(lines) if not line.strip().strip("-")]
    return "\n".join(lines[: apart[-1]]) if apart and apart[-1] > 0 else post


def without_quotes(post: str) -> str:
    """The lines that are not quoted from another post (marked by > or |) and do not introduce a quotation."""
    return "\n".join(line for line in post.split("\n") if not _is_quoted(line))


def body(post: str) -> str:
    """The post without header, then without footer, then without quotes."""
    return without_quotes(without_footer(without_header(post)))


def _is_quoted(line: str) -> bool:
    return line.startswith(BEGINS_A_QUOTED_LINE) or any(phrase in line for phrase in INTRODUCES_A_QUOTATION)
