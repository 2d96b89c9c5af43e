"""The commands that the server carries out for the editor: it shows a place."""

from collections.abc import Callable

from oakum_lsp.documents import path_of
from oakum_lsp.messages import ErrorCode, Request, ResponseError, client_request, notification
from oakum_lsp.parameters import Reader
from oakum_lsp.protocol import INFORMATION, SHOW


class Commands:
    """Carries commands out."""

    def __init__(self, send: Callable[[bytes], None]) -> None:
        self._send = send
        self.can_show = False
        """Whether the editor opens a place when it is asked to; else it says where it is."""

    def execute(self, request: Request) -> None:
        """Has the editor open a place."""
        params = Reader(request.params)
        if params.member("command").text() != SHOW:
            raise ResponseError(ErrorCode.INVALID_PARAMS, f"the only command is {SHOW}")
        places = params.member("arguments").items()
        if len(places) != 1:
            raise ResponseError(ErrorCode.INVALID_PARAMS, f"{SHOW} takes one place")
        uri, selection = places[0].member("uri").text(), places[0].member("range").range()
        if self.can_show:
            shown = {"uri": uri, "selection": selection, "takeFocus": True}
            self._send(client_request("oakum-show", "window/showDocument", shown))
        else:
            line = selection["start"]["line"] + 1
            said = {"type": INFORMATION, "message": f"oakum: {path_of(uri)}:{line}"}
            self._send(notification("window/showMessage", said))
