"""The server's transport: what an editor gets for messages that are wrong, and for none at all."""

import json
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from client import Client, Message

TRAP = "import jax\n\n\n@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A server that each of these tests has to leave alive."""
    client = Client(tmp_path_factory.mktemp("shared"))
    try:
        yield client
    finally:
        client.kill()


def is_alive(client: Client) -> bool:
    return client.request("textDocument/codeAction", action("untitled:none")) == []


def action(uri: str) -> Message:
    place = {"line": 0, "character": 0}
    return {
        "textDocument": {"uri": uri},
        "range": {"start": place, "end": place},
        "context": {"diagnostics": []},
    }


def answered(client: Client) -> Message:
    """The next message that is an answer."""
    message = client.receive()
    while "method" in message:
        message = client.receive()
    return message


@pytest.mark.parametrize(
    ("body", "code", "request_id"),
    [
        (b"{", -32700, None),
        (b"", -32700, None),
        (b"\xff\xfe{}", -32700, None),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "x", "params": NaN}', -32700, None),
        (b"[" * 100_000, -32700, None),
        (b"9" * 5_000, -32700, None),
        (b"[]", -32600, None),
        (b'[{"jsonrpc": "2.0", "id": 1, "method": "shutdown"}]', -32600, None),
        (b'"text"', -32600, None),
        (b'{"jsonrpc": "2.0"}', -32600, None),
        (b'{"jsonrpc": "1.0", "id": 4, "method": "shutdown"}', -32600, 4),
        (b'{"id": 4, "method": "shutdown"}', -32600, 4),
        (b'{"jsonrpc": "2.0", "id": 4, "method": 5}', -32600, 4),
        (b'{"jsonrpc": "2.0", "id": 4}', -32600, 4),
        (b'{"jsonrpc": "2.0", "id": null, "method": "shutdown"}', -32600, None),
        (b'{"jsonrpc": "2.0", "id": true, "method": "shutdown"}', -32600, None),
        (b'{"jsonrpc": "2.0", "id": [1], "method": "shutdown"}', -32600, None),
        (b'{"jsonrpc": "2.0", "id": "\\ud800", "method": "no/such"}', -32601, "\ud800"),
        (b'{"jsonrpc": "2.0", "id": 4, "method": "$/unknown"}', -32601, 4),
        (b'{"jsonrpc": "2.0", "id": 4, "method": "initialize", "params": {}}', -32600, 4),
    ],
)
def test_a_message_that_is_none_is_answered_with_its_error(
    shared: Client, body: bytes, code: int, request_id: object
) -> None:
    shared.send_body(body)
    found = answered(shared)
    assert (found["id"], found["error"]["code"]) == (request_id, code)
    assert is_alive(shared)


WRONG_PARAMS: list[object] = [
    None,
    7,
    "text",
    [],
    {},
    {**action("a"), "textDocument": 5},
    {**action("a"), "textDocument": {"uri": 5}},
    {**action("a"), "range": {"start": {"line": "0", "character": 0}}},
    {**action("a"), "range": {"start": {"line": -1, "character": 0}, "end": None}},
    {**action("a"), "context": []},
    {**action("a"), "context": {"diagnostics": [], "only": "quickfix"}},
    {**action("a"), "context": {"diagnostics": [], "only": [1]}},
]


@pytest.mark.parametrize("params", WRONG_PARAMS)
def test_wrong_params_are_refused_by_name(shared: Client, params: object) -> None:
    request = {"jsonrpc": "2.0", "id": "p", "method": "textDocument/codeAction", "params": params}
    shared.send_body(json.dumps(request).encode())
    found = answered(shared)
    assert (found["id"], found["error"]["code"]) == ("p", -32602)
    assert found["error"]["message"].startswith("params")
    assert is_alive(shared)


@pytest.mark.parametrize(
    "method",
    [
        "textDocument/didOpen",
        "textDocument/didChange",
        "textDocument/didSave",
        "textDocument/didClose",
        "$/cancelRequest",
    ],
)
def test_a_wrong_notification_costs_one_line(shared: Client, method: str) -> None:
    before = len(shared.complaints)
    shared.send_body(json.dumps({"jsonrpc": "2.0", "method": method, "params": [5]}).encode())
    assert is_alive(shared)
    deadline = time.monotonic() + 10
    while len(shared.complaints) == before and time.monotonic() < deadline:
        time.sleep(0.01)
    (line,) = shared.complaints[before:]
    assert method in line
    assert "params" in line


def test_unknown_notifications_are_ignored(shared: Client) -> None:
    shared.notify("$/unknown", {})
    shared.notify("workspace/didChangeConfiguration", {"settings": {}})
    assert is_alive(shared)


@pytest.mark.parametrize(
    "data",
    [
        b"Content-Length: 43\n\n",
        b"content-length:43\r\nContent-Type: application/vscode-jsonrpc; charset=utf8\r\n\r\n",
    ],
)
def test_headers_that_others_write_are_understood(shared: Client, data: bytes) -> None:
    body = b'{"jsonrpc":"2.0","id":77,"method":"no/way"}'
    assert len(body) == 43
    shared.send_bytes(data + body)
    assert answered(shared)["id"] == 77


def test_another_encoding_is_refused(shared: Client) -> None:
    shared.send_bytes(
        b"Content-Length: 4\r\nContent-Type: text/plain; charset=utf-16\r\n\r\n{\0}\0"
    )
    assert answered(shared)["error"]["code"] == -32600
    assert is_alive(shared)


@pytest.mark.parametrize(
    "uri",
    [
        "untitled:Untitled-1",
        "vscode-notebook-cell:/tmp/a%20b.ipynb#W0sZmlsZQ%3D%3D",
        "file:///tmp/UPPER%20case%2fand%41.py",
        "file:///c%3A/Users/me/train.py",
        "file:///C:/Users/me/train.py",
        "FILE:///tmp/scheme.py",
        "file://server/share/train.py",
        "file:///tmp/\u00e4 \U0001f600.py",
        "file:///tmp/null%00byte.py",
        "file://[bad/train.py",
        "",
        "no scheme",
    ],
)
def test_a_uri_comes_back_as_it_was_written(shared: Client, uri: str) -> None:
    shared.open(uri, TRAP)
    (found,) = shared.published(uri)
    assert found["code"] == "OAK201"
    assert {each["location"]["uri"] for each in found["relatedInformation"]} == {uri}
    shared.close(uri)
    assert shared.published(uri) == []


def test_two_documents_of_one_path_are_each_answered(shared: Client) -> None:
    """The cells of a notebook have its path, and one file has many spellings."""
    first, second = "vscode-notebook-cell:/n.ipynb#a", "vscode-notebook-cell:/n.ipynb#b"
    shared.open(first, TRAP)
    assert [each["code"] for each in shared.published(first)] == ["OAK201"]
    shared.open(second, "x = 1\n")
    assert shared.published(second) == []
    shared.change(first, TRAP + "\n", 2)
    assert [each["code"] for each in shared.published(first)] == ["OAK201"]
    for uri in (first, second):
        shared.close(uri)


@pytest.mark.parametrize(
    ("text", "reason"),
    [("#" * 10_000_000, "8 MiB"), ("x\0 = 1", "null byte"), ("x = '\ud800'", "surrogate")],
)
def test_what_the_command_does_not_read_is_not_analysed(
    shared: Client, text: str, reason: str
) -> None:
    uri = "untitled:refused"
    start = time.monotonic()
    shared.open(uri, text)
    (found,) = shared.published(uri)
    assert found["code"] == "OAK002"
    assert reason in found["message"]
    assert time.monotonic() - start < 10
    shared.change(uri, TRAP, 2)
    assert [each["code"] for each in shared.published(uri, 2)] == ["OAK201"]
    shared.close(uri)
    assert shared.published(uri) == []


def test_a_cancelled_request_is_answered_once(shared: Client) -> None:
    uri = "untitled:cancelled"
    shared.open(uri, TRAP)
    shared.published(uri)
    params = action(uri)
    params["context"]["only"] = ["source.fixAll"]
    request = {"jsonrpc": "2.0", "id": "c", "method": "textDocument/codeAction", "params": params}
    shared.send_body(json.dumps(request).encode())
    shared.notify("$/cancelRequest", {"id": "c"})
    found = answered(shared)
    assert (found["id"], found["error"]["code"]) == ("c", -32800)
    assert is_alive(shared)
    shared.close(uri)


def test_before_initialize_and_after_shutdown_requests_are_refused(tmp_path: Path) -> None:
    client = Client(tmp_path, initialize=False)
    try:
        client.open("untitled:early", TRAP)  # dropped, as the protocol says
        client.send_body(b'{"jsonrpc": "2.0", "id": 1, "method": "textDocument/codeAction"}')
        assert client.receive()["error"]["code"] == -32002
        client.send_body(b'{"jsonrpc": "2.0", "id": 2, "method": "initialize", "params": 3}')
        assert client.receive()["error"]["code"] == -32602
        client.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        client.request("shutdown", None)
        client.send_body(b'{"jsonrpc": "2.0", "id": 3, "method": "textDocument/codeAction"}')
        assert client.receive()["error"]["code"] == -32600
        client.notify("exit", {})
        assert client.wait() == 0
    finally:
        client.kill()


@pytest.mark.parametrize(
    "data",
    [
        b"Content-Length: -5\r\n\r\n{}",
        b"Content-Length: abc\r\n\r\n{}",
        b"Content-Length: 99999999999999\r\n\r\n{}",
        b"Content-Type: text/plain\r\n\r\n{}",
        b'{"jsonrpc": "2.0", "id": 1, "method": "shutdown"}\n',
        # What is missing never comes, which takes a while to be sure of.
        pytest.param(b"Content-Length: 900000000\r\n\r\n{}", marks=pytest.mark.exhaustive),
        pytest.param(b"Content-Length: 20\r\n\r\n{}", marks=pytest.mark.exhaustive),
        b"x" * 100_000,
    ],
)
def test_broken_framing_ends_the_server_with_an_answer(tmp_path: Path, data: bytes) -> None:
    client = Client(tmp_path, initialize=False)
    try:
        client.send_bytes(data)
        found = client.receive()
        assert (found["id"], found["error"]["code"]) == (None, -32700)
        assert client.wait() == 1
        (line,) = client.complaints
        assert line.startswith("oakum lsp: ")
    finally:
        client.kill()


def test_the_end_of_the_stream_ends_the_server_with_1(tmp_path: Path) -> None:
    client = Client(tmp_path)
    try:
        client.close_input()
        assert client.wait() == 1
    finally:
        client.kill()


@pytest.mark.skipif(os.name == "nt", reason="there is no question that does not end a process")
def test_the_end_of_the_editor_ends_the_server(tmp_path: Path) -> None:
    """Also where another process still holds the streams open."""
    editor = subprocess.Popen(["sleep", "1000"])
    client = Client(tmp_path, initialize=False)
    try:
        params: Message = {"processId": editor.pid, "rootUri": None, "capabilities": {}}
        client.request("initialize", params)
        editor.kill()
        editor.wait()
        assert client.wait() == 1
    finally:
        client.kill()
