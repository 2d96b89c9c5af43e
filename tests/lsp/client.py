"""A minimal client of the Language Server Protocol, over the standard streams of a real process."""

import json
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
Message = dict[str, Any]


class Client:
    """Starts `oakum lsp`, speaks with it, and collects the diagnostics that it publishes."""

    def __init__(
        self,
        directory: Path,
        encodings: list[str] | None = None,
        *,
        options: tuple[str, ...] = (),
        initialize: bool = True,
        patience: float = 30.0,
        workspace: Message | None = None,
        has_root: bool = True,
        initialization: Message | None = None,
        settings: Message | None = None,
        code_action: Message | None = None,
    ) -> None:
        self._patience = patience
        """Seconds that a message is waited for."""
        path = os.pathsep.join(str(ROOT / name) for name in ("engine", "lint", "lsp"))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "oakum_lint", "lsp", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=directory,
            env={**os.environ, "PYTHONPATH": path, "XDG_CACHE_HOME": str(directory / "cache")},
        )
        self._received: queue.Queue[Message | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.complaints: list[str] = []
        """The lines that the server and its process have written to standard error."""
        self._complaining = threading.Thread(target=self._read_complaints, daemon=True)
        self._complaining.start()
        self._next_id = 0
        self.settings = settings
        """What is set in the editor; None in an editor that cannot be asked."""
        if not initialize:
            return
        capabilities: Message = {"textDocument": {"publishDiagnostics": {}}}
        if code_action is not None:
            capabilities["textDocument"]["codeAction"] = code_action
        if encodings:
            capabilities["general"] = {"positionEncodings": encodings}
        if workspace is not None:
            capabilities["workspace"] = workspace
        if settings is not None:
            capabilities.setdefault("workspace", {})["configuration"] = True
        root = directory.as_uri() if has_root else None
        self.capabilities: Message = self.request(
            "initialize",
            {
                "processId": None,
                "rootUri": root,
                "capabilities": capabilities,
                "initializationOptions": initialization,
            },
        )["capabilities"]
        self.notify("initialized", {})

    def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        while True:
            length = 0
            while (line := stream.readline().strip()) != b"":
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if not length:
                self._received.put(None)
                return
            self._received.put(json.loads(stream.read(length)))

    def _read_complaints(self) -> None:
        stream = self._process.stderr
        assert stream is not None
        for line in stream:
            self.complaints.append(line.decode("utf-8", "replace").rstrip())

    @property
    def pid(self) -> int:
        return self._process.pid

    def send_bytes(self, data: bytes) -> None:
        """Sends bytes as they are, framed or not."""
        stream = self._process.stdin
        assert stream is not None
        stream.write(data)
        stream.flush()

    def send_body(self, body: bytes) -> None:
        """Sends a frame of any body."""
        self.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def _send(self, message: Message) -> None:
        self.send_body(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def close_input(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()

    def wait(self, timeout: float = 30.0) -> int:
        """The exit status, once the server has ended and its complaints are read."""
        status = self._process.wait(timeout=timeout)
        self._complaining.join(timeout)
        return status

    def receive(self) -> Message:
        """The next message of the server."""
        message = self._received.get(timeout=self._patience)
        assert message is not None, "the server has ended"
        if message.get("method") == "workspace/configuration":
            self._send({"id": message["id"], "result": [self.settings]})
        return message

    def post(self, method: str, params: Message | None) -> None:
        """Sends a request, and does not wait for its answer."""
        self._next_id += 1
        self._send({"id": self._next_id, "method": method, "params": params})

    def request(self, method: str, params: Message | None) -> Any:
        message = self._ask(method, params)
        assert "error" not in message, message
        return message["result"]

    def refused(self, method: str, params: Message | None) -> str:
        """Why a request is answered with an error."""
        return self._ask(method, params)["error"]["message"]

    def _ask(self, method: str, params: Message | None) -> Message:
        self.post(method, params)
        while True:
            message = self.receive()
            if message.get("id") == self._next_id:
                return message

    def notify(self, method: str, params: Message) -> None:
        self._send({"method": method, "params": params})

    def published(self, uri: str, version: int | None = None) -> list[Message]:
        """The next diagnostics for a document, those of a version if one is given."""
        while True:
            message = self.receive()
            if message.get("method") != "textDocument/publishDiagnostics":
                continue
            params = message["params"]
            if params["uri"] == uri and version in (None, params.get("version")):
                return params["diagnostics"]

    def open(self, uri: str, text: str, version: int = 1) -> None:
        document = {"uri": uri, "languageId": "python", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})

    def change(self, uri: str, text: str, version: int) -> None:
        self.notify(
            "textDocument/didChange",
            {
                "textDocument": {"uri": uri, "version": version},
                "contentChanges": [{"text": text}],
            },
        )

    def save(self, uri: str) -> None:
        self.notify("textDocument/didSave", {"textDocument": {"uri": uri}})

    def close(self, uri: str) -> None:
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def stop(self) -> int:
        """Says goodbye and returns the exit status."""
        self.request("shutdown", None)
        self.notify("exit", {})
        try:
            return self._process.wait(timeout=60)
        finally:
            self.kill()

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join(timeout=10)
        self._complaining.join(timeout=10)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()
