"""Requests that wait for an analysis: each is answered when that is done, or cancelled.

Invariant: each request is answered exactly once.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from oakum_lsp.checks import Checks
from oakum_lsp.messages import Id, cancellation, is_same_id

if TYPE_CHECKING:
    from oakum_lsp.analysis_worker import Answer, Asked


class Questions:
    """The requests that wait."""

    def __init__(self, checks: Checks, send: Callable[[bytes], None]) -> None:
        self._checks = checks
        self._send = send
        self._awaited: dict[object, Id] = {}
        """Each under a token of its own: an editor may use an id again."""

    def ask(
        self, request: Id, asked: "Asked", answered: "Callable[[Answer | None], bytes]"
    ) -> None:
        """Has a question answered; `answered` makes the answer to the request from what was found,
        or from None where that was abandoned.
        """
        token = object()
        self._awaited[token] = request

        def done(found: "Answer | None") -> None:
            if self._awaited.pop(token, None) is not None:  # else it was cancelled
                self._send(answered(found))

        self._checks.ask(asked, done)

    def cancel(self, request: Id | None, reason: str) -> None:
        """Answers a request that waits, or all, with an error."""
        for token, known in list(self._awaited.items()):
            if request is None or is_same_id(known, request):
                del self._awaited[token]
                self._send(cancellation(known, reason))
