"""What the server does when an analysis takes too long or takes its process down."""

import os
import signal
import subprocess
from pathlib import Path

import pytest
from client import Client, Message

TRAP = "import jax\n\n\n@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n"
CLEAN = "import jax\n\n\n@jax.jit\ndef f(x):\n    return -x\n"


def slow_text(count: int) -> str:
    """A program that takes some seconds to analyse on any machine."""
    function = (
        "@jax.jit\ndef f{0}(x):\n    y = jnp.sin(x) + {0}\n    return y if x > 0 else -y\n\n\n"
    )
    head = "import jax\nimport jax.numpy as jnp\n\n\n"
    return head + "".join(function.format(number) for number in range(count))


def whole(uri: str) -> Message:
    """What a request about the first lines of a document names."""
    first, last = {"line": 0, "character": 0}, {"line": 3, "character": 0}
    return {"textDocument": {"uri": uri}, "range": {"start": first, "end": last}}


def codes(found: list[Message]) -> list[object]:
    return [each["code"] for each in found]


def test_a_slow_document_is_given_up_and_the_others_are_answered(tmp_path: Path) -> None:
    client = Client(tmp_path, options=("--max-seconds", "0.7"))
    slow, other = "untitled:slow", "untitled:other"
    try:
        client.open(slow, slow_text(3000))
        client.open(other, TRAP)
        found: dict[str, list[Message]] = {}
        while set(found) != {slow, other}:
            message = client.receive()
            if message.get("method") == "textDocument/publishDiagnostics":
                found[message["params"]["uri"]] = message["params"]["diagnostics"]
        assert codes(found[other]) == ["OAK201"]
        assert codes(found[slow]) == ["OAK003"]
        assert "0.7 s" in found[slow][0]["message"]
        client.change(other, CLEAN, 2)
        assert client.published(other, 2) == []
        client.change(slow, TRAP, 2)
        assert codes(client.published(slow, 2)) == ["OAK201"]
        assert client.stop() == 0
    finally:
        client.kill()


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="the process cannot be found")
def test_a_process_that_dies_is_replaced(tmp_path: Path) -> None:
    client = Client(tmp_path)
    uri = "untitled:document"
    try:
        client.open(uri, TRAP)
        assert codes(client.published(uri)) == ["OAK201"]
        os.kill(worker_of(client), signal.SIGKILL)
        client.change(uri, CLEAN, 2)
        assert client.published(uri, 2) == []
        assert client.stop() == 0
        assert not any("Traceback" in line for line in client.complaints)
    finally:
        client.kill()


def test_findings_of_a_text_that_is_no_python_outlast_a_large_document(tmp_path: Path) -> None:
    """The process that held the large one is replaced when a new one would know as much."""
    client = Client(tmp_path)
    uri, large = "untitled:document", "untitled:large"
    try:
        client.open(uri, TRAP)
        assert codes(client.published(uri)) == ["OAK201"]
        client.change(uri, TRAP.replace("-x", "g(-x"), 2)
        assert sorted(map(str, codes(client.published(uri, 2)))) == ["OAK001", "OAK201"]
        client.open(large, "# A line of a large document.\n" * 4000)
        assert client.published(large) == []
        client.close(large)
        for version in range(3, 6):
            # Behind an answer the server rests, and looks at what the process occupies.
            client.request("textDocument/inlayHint", whole(uri))
            client.change(uri, TRAP.replace("-x", f"g({version}"), version)
            assert sorted(map(str, codes(client.published(uri, version)))) == ["OAK001", "OAK201"]
        assert client.stop() == 0
    finally:
        client.kill()


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="the process cannot be found")
def test_the_process_ends_with_the_server(tmp_path: Path) -> None:
    client = Client(tmp_path)
    try:
        client.open("untitled:slow", slow_text(1000))
        worker = worker_of(client)
    finally:
        client.kill()
    for _ in range(1000):
        state = Path(f"/proc/{worker}/stat")
        if not state.exists() or state.read_text().split()[2] == "Z":
            return
        subprocess.run(["sleep", "0.01"], check=True)
    pytest.fail("the process is still there")


def worker_of(client: Client) -> int:
    """The process that analyses for a server."""
    children = Path(f"/proc/{client.pid}/task/{client.pid}/children").read_text().split()
    (worker,) = map(int, children)
    return worker
