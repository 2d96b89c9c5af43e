"""The server over a long day: many edits, many documents, many messages that are wrong.

`OAKUM_EDITS=10000 OAKUM_MESSAGES=2000:12000 pytest -m exhaustive tests/lsp/test_endurance.py` takes
so many edits, and the messages of those seeds.
"""

import json
import os
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from client import Client, Message

from oakum_lint.app.runner import check_paths
from oakum_lint.app.settings import Settings

HEAD = "import jax\nimport jax.numpy as jnp\n\n\n"
FUNCTION = """\
@jax.jit
def f{0}(x, y):
    z = jnp.sin(x) * {1}
    return z if jnp.sum(x) > {1} else y


"""
EDITS = int(os.environ.get("OAKUM_EDITS", "600"))
SEEDS = os.environ.get("OAKUM_MESSAGES", "0:2000")


PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 0


def memory(process: int) -> int:
    """The bytes that a process occupies; 0 where it has ended."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * PAGE
    except OSError:
        return 0


def memory_of_workers(server: int) -> int:
    """The bytes that the processes occupy which a server has started."""
    threads = Path(f"/proc/{server}/task").iterdir()
    children = [child for thread in threads for child in (thread / "children").read_text().split()]
    return sum(memory(int(child)) for child in children)


def settled(measured: Callable[[int], int], client: Client, limit: float) -> int:
    """What is occupied, once it is within a limit or has had the time to get there: the process
    that analyses is replaced when it rests.
    """
    deadline = time.monotonic() + 300
    while (found := measured(client.pid)) > limit and time.monotonic() < deadline:
        time.sleep(0.2)
    return found


def command_finds(file: Path) -> list[tuple[str, int, int]]:
    findings = check_paths([str(file)], Settings(str(file.parent))).findings
    return [(f.code, f.location.line - 1, f.location.column - 1) for f in findings]


def shown(found: list[Message]) -> list[tuple[str, int, int]]:
    starts = [each["range"]["start"] for each in found]
    return [
        (each["code"], start["line"], start["character"])
        for each, start in zip(found, starts, strict=True)
    ]


pytestmark = [
    pytest.mark.exhaustive,
    pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory cannot be looked up"),
]


def test_edits_do_not_make_the_server_grow(tmp_path: Path) -> None:
    client = Client(tmp_path, patience=300)
    file = tmp_path / "train.py"
    uri = file.as_uri()
    functions = [FUNCTION.format(number, 0) for number in range(30)]
    try:
        client.open(uri, HEAD + "".join(functions))
        client.published(uri)
        for version in range(2, 42):  # what is loaded once
            functions[version % 30] = FUNCTION.format(version % 30, version)
            client.change(uri, HEAD + "".join(functions), version)
            client.published(uri, version)
        server, worker = memory(client.pid), memory_of_workers(client.pid)
        found: list[Message] = []
        for version in range(42, 42 + EDITS):
            functions[version % 30] = FUNCTION.format(version % 30, version)
            client.change(uri, HEAD + "".join(functions), version)
            if version % 20 == 0 or version == 41 + EDITS:
                found = client.published(uri, version)
        assert memory(client.pid) <= server * 1.1
        assert settled(memory_of_workers, client, worker * 1.1) <= worker * 1.1
        file.write_text(HEAD + "".join(functions))
        assert shown(found) == command_finds(file)
        assert client.stop() == 0
    finally:
        client.kill()


@pytest.mark.nightly
def test_documents_that_are_closed_give_their_memory_back(tmp_path: Path) -> None:
    """Each time that 500 documents are opened and closed, both processes come back to what they
    were, or nearly: a server that runs for weeks does not fill the machine.
    """
    client = Client(tmp_path, patience=300)
    text = HEAD + "".join(FUNCTION.format(number, 0) for number in range(5))

    def look_at(uri: str) -> None:
        client.open(uri, text)
        assert len(client.published(uri)) == 5
        client.close(uri)
        assert client.published(uri) == []

    try:
        look_at("untitled:first")
        server, worker = memory(client.pid), memory_of_workers(client.pid)
        uris = [(tmp_path / f"part{number}.py").as_uri() for number in range(500)]
        after: list[int] = []
        for _ in range(3):
            for uri in uris:
                client.open(uri, text)
            assert len(client.published(uris[-1])) == 5
            for uri in uris:
                client.close(uri)
            assert client.published(uris[-1]) == []
            assert settled(memory_of_workers, client, worker * 1.1) <= worker * 1.1
            limit = after[0] * 1.1 if after else server * 1.3
            after.append(settled(memory, client, limit))
            assert after[-1] <= limit
        look_at("untitled:last")
        assert client.stop() == 0
    finally:
        client.kill()


VALUES: list[object] = [
    *(None, True, -1, 0, 2**31, 1.5, "", "text", "\U0001f600\ud800", {"uri": 1}),
    *(json.loads(each) for each in ("[]", "{}", "[{}]")),
    *({"uri": "untitled:a"}, {"uri": "file:///x%00.py"}, {"start": {}, "end": {}}, ["quickfix"]),
    {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 9}},
    {"diagnostics": [], "only": ["source.fixAll"]},
    {"diagnostics": []},
    {"uri": "untitled:a", "languageId": "python", "version": 1, "text": "x = 1\n"},
    {"uri": "untitled:a", "version": 2},
    [{"text": "import jax\n@jax.jit\ndef f(x):\n    if x: pass\n"}],
]
METHODS = [
    *("initialize", "initialized", "textDocument/codeAction", "textDocument/didOpen"),
    *("textDocument/didChange", "textDocument/didSave", "textDocument/didClose", "$/setTrace"),
    *("$/cancelRequest", "$/unknown", "no/such", "", "\u00e9\U0001f600", "textDocument/hover"),
]
MEMBERS = ["textDocument", "range", "context", "contentChanges", "id", "capabilities", "value"]


def random_params(chance: random.Random) -> object:
    if chance.random() < 0.3:
        return VALUES[chance.randrange(len(VALUES))]
    return {name: chance.choice(VALUES) for name in chance.sample(MEMBERS, chance.randint(0, 5))}


def random_message(chance: random.Random, number: int) -> tuple[bytes, object]:
    """The body of a message, and the id that it is answered with; "none" where it is not."""
    message: Message = {"jsonrpc": "2.0", "method": chance.choice(METHODS)}
    message["params"] = random_params(chance)
    kind = chance.random()
    if kind < 0.6:
        message["id"] = chance.choice([number, f"id {number}", f"\U0001f600{number}", number // 7])
        answered: object = message["id"]
        if chance.random() < 0.05:
            message["jsonrpc"] = chance.choice(["1.0", 2, None])
        if chance.random() < 0.05:
            message["method"] = VALUES[chance.randrange(6)]
    elif kind < 0.75:
        answered = "none"
    elif kind < 0.8:
        message["id"] = json.loads(chance.choice(["null", "true", "[]", "{}"]))
        answered = None
    elif kind < 0.85:
        message, answered = {"jsonrpc": "2.0", "id": number, "result": None}, "none"
    elif kind < 0.9:
        return json.dumps([message] * chance.randint(0, 3)).encode(), None
    elif kind < 0.95:
        return json.dumps(message).encode()[: chance.randint(0, 20)], None
    else:
        return json.dumps(VALUES[chance.randrange(8)]).encode(), None
    if message.get("method") == "":
        message["method"] = "x"
    return json.dumps(message, ensure_ascii=chance.random() < 0.5).encode(
        "utf-8", "backslashreplace"
    ), answered


def test_each_of_many_random_messages_is_answered_once(tmp_path: Path) -> None:
    first, last = map(int, SEEDS.split(":"))
    client = Client(tmp_path, patience=300)
    expected: list[object] = []
    try:
        for number in range(first, last):
            body, answered = random_message(random.Random(number), number)
            client.send_body(body)
            if answered != "none":
                expected.append(answered)
        found: list[object] = []
        client.send_body(b'{"jsonrpc": "2.0", "id": "last", "method": "no/such"}')
        while not found or found[-1] != "last" or len(found) <= len(expected):
            message = client.receive()
            if "method" not in message:
                found.append(message["id"])
        assert sorted(map(repr, found)) == sorted(map(repr, [*expected, "last"]))
        assert not [line for line in client.complaints if not line.startswith("oakum lsp: ")]
        assert client.stop() == 0
    finally:
        client.kill()
