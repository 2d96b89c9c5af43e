"""Work-done progress: the editor shows that something takes a while."""

from collections.abc import Callable

from oakum_lsp.messages import client_request, notification


class Progress:
    """The progress of one kind of work, where the editor shows such; one piece of it at a time."""

    def __init__(self, title: str, send: Callable[[bytes], None]) -> None:
        self._title = title
        self._send = send
        self._count = 0
        self._token: str | None = None
        self.is_shown = False
        """Whether the editor has said that it shows progress."""

    def begin(self) -> None:
        """Shows that work begins."""
        self.end()
        if self.is_shown:
            self._count += 1
            self._token = f"oakum-{self._title.replace(' ', '-')}-{self._count}"
            method = "window/workDoneProgress/create"
            self._send(client_request(self._token, method, {"token": self._token}))
            self._report({"kind": "begin", "title": f"oakum: {self._title}"})

    def end(self) -> None:
        """Shows that it has ended, if it had begun."""
        if self._token is not None:
            self._report({"kind": "end"})
            self._token = None

    def _report(self, value: dict[str, str]) -> None:
        self._send(notification("$/progress", {"token": self._token, "value": value}))
