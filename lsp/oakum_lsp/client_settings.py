"""What the user has set in the editor, under `oakum`: what is shown beside diagnostics.

What is checked, and how, is set in the project's own configuration, which the command reads too.
"""

from collections.abc import Callable
from typing import Final, cast

from oakum_lsp.capabilities import Capabilities
from oakum_lsp.messages import client_request
from oakum_lsp.parameters import Reader

_SECTION: Final = "oakum"


class ClientSettings:
    """The settings; the server's parts look at the one object."""

    REQUEST = "oakum-settings"
    """The request that asks the editor for them."""

    def __init__(self, send: Callable[[bytes], None]) -> None:
        self._send = send
        self._can_ask = False
        self._has_changed = False
        self.inlay_hints = True
        """`oakum.inlayHints.enabled`"""
        self.code_lens = True
        """`oakum.codeLens.enabled`"""
        self.refreshed: tuple[str, ...] = ()
        """What the editor can be asked to ask for again."""

    def initialize(self, params: Reader, client: Capabilities) -> None:
        """Takes what the editor has sent with `initialize`."""
        self._can_ask, self.refreshed = client.has_settings, client.refreshed
        self._take(params.member("initializationOptions"))

    def ask(self) -> None:
        """Asks the editor, where it answers."""
        if self._can_ask:
            asked = {"items": [{"section": _SECTION}]}
            self._send(client_request(self.REQUEST, "workspace/configuration", asked))

    def take_answer(self, result: object) -> None:
        """Takes the editor's answer: a list with what is set under our name."""
        if isinstance(result, list):
            for stated in Reader(cast("object", result)).items():
                self._take(stated)

    def change(self, params: object) -> None:
        """Hears that settings have changed; an editor that cannot be asked says which."""
        if self._can_ask:
            self.ask()
        elif (settings := _part(Reader(params), "settings")) is not None:
            stated = _part(settings, _SECTION)
            if stated is not None:
                self._take(stated)

    def take_change(self) -> bool:
        """Whether a setting has changed since this was last asked."""
        changed, self._has_changed = self._has_changed, False
        return changed

    def _take(self, stated: Reader) -> None:
        """Takes what an object states. What it does not, or not as a truth value, stays."""
        before = (self.inlay_hints, self.code_lens)
        self.inlay_hints = _flag(stated, "inlayHints", self.inlay_hints)
        self.code_lens = _flag(stated, "codeLens", self.code_lens)
        self._has_changed = self._has_changed or before != (self.inlay_hints, self.code_lens)


def _part(stated: Reader, name: str) -> Reader | None:
    """A member; None where nothing has it."""
    return stated.member(name) if isinstance(stated.value, dict) and stated.has(name) else None


def _flag(stated: Reader, name: str, before: bool) -> bool:
    """Whether what has a name is enabled."""
    part = _part(stated, name)
    enabled = None if part is None else _part(part, "enabled")
    return enabled.value if enabled is not None and isinstance(enabled.value, bool) else before
