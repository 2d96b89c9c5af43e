"""The user's text made short: on one line, and cut in the middle where it is too long."""


def elided(text: str, limit: int) -> str:
    """A text on one line of at most `limit` characters: its beginning and its end.

    >>> elided("losses.mean()", 40)
    'losses.mean()'
    >>> elided("jnp.abs(prediction - target).mean() > tolerance", 30)
    'jnp.abs(predictio... tolerance'
    """
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    kept = limit - 3
    tail = kept * 2 // 5
    return f"{line[: kept - tail]}...{line[len(line) - tail :]}"
