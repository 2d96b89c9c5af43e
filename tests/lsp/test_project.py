"""The server sees the project around the open documents, as `oakum check FILE` does."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent
from urllib.parse import unquote, urlparse

import pytest
from client import Client, Message
from two_file_bugs import SHAPES, write_files

from oakum_lint.app.runner import check_paths
from oakum_lint.app.settings import Settings

PATIENCE = 60.0
"""Seconds in which something has to be shown, also where the machine is busy."""

HELPER = SHAPES["function"]["a.py"]
CALLER = dedent(SHAPES["function"]["b.py"])
EAGER = CALLER.replace("jax.jit(signed)", "signed")

Place = tuple[str, int, str]


class Editor:
    """A client, and what it shows of each file."""

    def __init__(self, client: Client, folder: Path) -> None:
        self.client = client
        self.folder = folder
        self.opened: list[str] = []
        self.shown: dict[str, list[Message]] = {}
        self.versions: dict[str, int | None] = {}
        self.asked: list[Message] = []
        """What the server has asked."""
        self.logged: list[str] = []

    def uri(self, file: str) -> str:
        return (self.folder / file).as_uri()

    def open(self, file: str, text: str | None = None) -> None:
        uri = self.uri(file)
        self.opened.append(uri)
        self.client.open(uri, (self.folder / file).read_text() if text is None else text)

    def close(self, file: str) -> None:
        self.opened.remove(self.uri(file))
        self.client.close(self.uri(file))

    def change(self, file: str, text: str, version: int) -> None:
        self.client.change(self.uri(file), text, version)

    def places(self) -> set[Place]:
        """The files, lines and codes of what is shown."""
        return {
            (os.path.relpath(unquote(urlparse(uri).path), self.folder), line(found), found["code"])
            for uri, several in self.shown.items()
            if uri.startswith(self.folder.as_uri())
            for found in several
        }

    def take(self) -> None:
        """Takes the next message of the server."""
        message = self.client.receive()
        if message.get("method") == "textDocument/publishDiagnostics":
            params = message["params"]
            self.shown[params["uri"]] = params["diagnostics"]
            self.versions[params["uri"]] = params.get("version")
        elif "method" in message and "id" in message:
            self.asked.append(message)
        elif message.get("method") == "window/logMessage":
            self.logged.append(message["params"]["message"])

    def wait_for(self, expected: Callable[["Editor"], bool]) -> None:
        """Takes what the server sends until the editor shows what is expected."""
        deadline = time.monotonic() + PATIENCE
        while not expected(self):
            assert time.monotonic() < deadline, self.shown
            self.take()

    def wait_for_version(self, file: str, version: int) -> None:
        self.wait_for(lambda editor: editor.versions.get(editor.uri(file)) == version)

    def wait_for_places(self, places: set[Place]) -> None:
        self.wait_for(lambda editor: editor.places() == places)


def line(found: Message) -> int:
    return found["range"]["start"]["line"] + 1


WATCHING: Message = {"didChangeWatchedFiles": {"dynamicRegistration": True}}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A server that is the same for most tests: each has a project of its own."""
    client = Client(tmp_path_factory.mktemp("projects"), workspace=WATCHING, has_root=False)
    try:
        yield client
        assert client.stop() == 0
    finally:
        client.kill()


@pytest.fixture
def editor(server: Client, tmp_path: Path) -> Iterator[Editor]:
    write_files(tmp_path, SHAPES["function"])
    editor = Editor(server, tmp_path)
    yield editor
    for uri in editor.opened:
        server.close(uri)


BUG = {("a.py", 3, "OAK201")}


def test_either_file_of_a_bug_shows_it(editor: Editor) -> None:
    """In every shape of a project, with only that file open."""
    expected: set[Place] = set()
    opened: list[str] = []
    for shape, files in SHAPES.items():
        python = [file for file, text in files.items() if file.endswith(".py") and text]
        for number, file in enumerate(python):
            folder = f"{shape}{number}"
            place = editor.folder / folder
            write_files(place, files)
            found = check_paths([str(place)], Settings(str(place))).findings
            assert len(found) == 1
            expected |= {
                (os.path.relpath(f.location.file, editor.folder), f.location.line, f.code)
                for f in found
            }
            opened.append(f"{folder}/{file}")
    for file in opened:
        editor.open(file)
    editor.wait_for_places(expected)


def test_a_finding_in_a_file_that_is_not_open_says_so(editor: Editor) -> None:
    editor.open("b.py")
    editor.wait_for_places(BUG)
    (found,) = editor.shown[editor.uri("a.py")]
    assert "this file was not named" in found["message"]
    assert "b.py` causes the finding" in found["message"]
    assert editor.uri("b.py") in {
        related["location"]["uri"] for related in found["relatedInformation"]
    }


def test_edits_make_and_remove_a_finding_in_a_file_that_is_not_open(editor: Editor) -> None:
    editor.open("b.py", EAGER)
    for version in (2, 4):
        editor.change("b.py", CALLER, version)
        editor.wait_for_places(BUG)
        editor.change("b.py", EAGER, version + 1)
        editor.wait_for_places(set())


def test_edits_of_the_helper_follow_a_caller_that_is_not_open(editor: Editor) -> None:
    editor.open("a.py")
    editor.wait_for_places(BUG)
    editor.change("a.py", "def signed(x):\n    return -x\n", 2)
    editor.wait_for_places(set())
    editor.change("a.py", dedent(HELPER), 3)
    editor.wait_for_places(BUG)


def test_what_the_project_shows_moves_with_its_line_and_goes_when_that_changes(
    editor: Editor,
) -> None:
    """At the first key: it is seconds until the project was looked at again."""
    editor.open("a.py")
    editor.wait_for_places(BUG)
    changes = [
        (f"# above\n\n{dedent(HELPER)}", {("a.py", 5, "OAK201")}),
        (f"# above\n\n{dedent(HELPER)}# below\n", {("a.py", 5, "OAK201")}),
        (f"{dedent(HELPER)}# below\n", BUG),
        (dedent(HELPER).replace("> 0:", "> 1:"), set[Place]()),
    ]
    for version, (text, places) in enumerate(changes, 2):
        editor.change("a.py", text, version)
        editor.wait_for_version("a.py", version)
        assert editor.places() == places
    editor.wait_for_places(BUG)


def test_opening_the_other_file_shows_the_finding_once(editor: Editor) -> None:
    editor.open("b.py")
    editor.wait_for_places(BUG)
    editor.open("a.py")
    editor.wait_for(
        lambda editor: (
            editor.places() == BUG
            and "not named" not in editor.shown[editor.uri("a.py")][0]["message"]
        )
    )


def test_closing_the_last_document_takes_everything_away(editor: Editor) -> None:
    editor.open("b.py")
    editor.wait_for_places(BUG)
    editor.close("b.py")
    editor.wait_for_places(set())


def test_closing_a_document_keeps_what_another_one_causes_in_it(editor: Editor) -> None:
    editor.open("b.py")
    editor.open("a.py")
    editor.wait_for_places(BUG)
    editor.close("a.py")
    editor.wait_for_places(set())
    editor.wait_for_places(BUG)
    assert "not named" in editor.shown[editor.uri("a.py")][0]["message"]


def change_on_disk(editor: Editor, file: str, kind: int) -> None:
    changes = [{"uri": editor.uri(file), "type": kind}]
    editor.client.notify("workspace/didChangeWatchedFiles", {"changes": changes})


def test_files_that_another_program_changes_are_seen(editor: Editor) -> None:
    """The caller is written, changed and deleted."""
    caller = editor.folder / "b.py"
    caller.unlink()
    editor.open("a.py")
    editor.wait_for_version("a.py", 1)
    assert editor.places() == set()
    caller.write_text(CALLER)
    change_on_disk(editor, "b.py", 1)
    editor.wait_for_places(BUG)
    caller.write_text(EAGER)
    change_on_disk(editor, "b.py", 2)
    editor.wait_for_places(set())
    caller.write_text(CALLER)
    change_on_disk(editor, "b.py", 2)
    editor.wait_for_places(BUG)
    caller.unlink()
    change_on_disk(editor, "b.py", 3)
    editor.wait_for_places(set())


def test_a_file_that_has_findings_and_changes_on_disk_is_shown_as_it_is(editor: Editor) -> None:
    editor.open("b.py")
    editor.wait_for_places(BUG)
    helper = editor.folder / "a.py"
    helper.write_text(f"# A line more.\n{helper.read_text()}")
    change_on_disk(editor, "a.py", 2)
    editor.wait_for_places(set())
    editor.wait_for_places({("a.py", 4, "OAK201")})


def test_the_editor_is_asked_to_watch_files(tmp_path: Path) -> None:
    client = Client(tmp_path, workspace=WATCHING)
    try:
        asked = client.receive()
        assert asked["method"] == "client/registerCapability"
        (registration,) = asked["params"]["registrations"]
        assert registration["method"] == "workspace/didChangeWatchedFiles"
        assert {"globPattern": "**/*.py"} in registration["registerOptions"]["watchers"]
        client.send_body(b'{"jsonrpc": "2.0", "id": "oakum-watch", "result": null}')
        assert client.stop() == 0
    finally:
        client.kill()


def test_the_folder_that_is_open_is_the_project(tmp_path: Path) -> None:
    """As with `--project`: where neither a repository nor a configuration says what the root is. An
    editor that does not watch files is asked for nothing.
    """
    write_files(tmp_path, SHAPES["function"])
    (tmp_path / "pyproject.toml").unlink()
    client = Client(tmp_path)
    try:
        editor = Editor(client, tmp_path)
        editor.open("a.py")
        editor.wait_for_places(BUG)
        assert editor.asked == []
    finally:
        client.kill()


def test_a_fix_of_what_only_a_caller_shows_is_offered(editor: Editor) -> None:
    (editor.folder / "a.py").write_text(
        "import jax.numpy as jnp\ndef signed(x):\n    return x if x.sum() > 0 else -x\n"
    )
    editor.open("a.py")
    editor.wait_for_places({("a.py", 3, "OAK201")})
    place = {"line": 2, "character": 20}
    (action, *_) = editor.client.request(
        "textDocument/codeAction",
        {
            "textDocument": {"uri": editor.uri("a.py")},
            "range": {"start": place, "end": place},
            "context": {"diagnostics": []},
        },
    )
    assert action["kind"] == "quickfix"
    assert list(action["edit"]["changes"]) == [editor.uri("a.py")]


def worker_in_background(client: Client) -> int:
    """The process of a server that looks at projects: it gives way to the other one."""
    threads = Path(f"/proc/{client.pid}/task").iterdir()
    workers = [child for each in threads for child in (each / "children").read_text().split()]
    assert len(workers) == 2
    return max(map(int, workers), key=lambda worker: os.getpriority(os.PRIO_PROCESS, worker))


def slow_project(folder: Path, modules: int) -> None:
    """Writes a helper, and callers of it that take some seconds to analyse on any machine."""
    write_files(folder, {"a.py": HELPER})
    for number in range(modules):
        calls = "".join(
            f"@jax.jit\ndef f{each}(x):\n    return signed(x + {each} + {number})\n"
            for each in range(300)
        )
        (folder / f"caller{number}.py").write_text(f"import jax\nfrom a import signed\n{calls}")


def test_a_project_that_takes_too_long_is_given_up_and_open_documents_are_answered(
    tmp_path: Path,
) -> None:
    slow_project(tmp_path, 40)
    client = Client(tmp_path, options=("--max-seconds", "0.7"))
    editor = Editor(client, tmp_path)
    try:
        editor.open("a.py")
        editor.wait_for_version("a.py", 1)
        editor.wait_for(lambda editor: bool(editor.logged))
        assert "given up after 2.1 s" in editor.logged[0]
        assert editor.places() == set()
        editor.change("a.py", "def f(:\n", 2)
        editor.wait_for_version("a.py", 2)
        assert editor.places() == {("a.py", 1, "OAK001")}
        assert client.stop() == 0
        assert len(editor.logged) == 1
    finally:
        client.kill()


WAVE = """\
import jax
import jax.numpy as jnp
import numpy as np


def wave(x):
    return np.sin(x)


print(jax.jit(wave)(jnp.ones(3)))
"""
TABLE = """\
import numpy as np
from a import wave

table = wave(np.linspace(0.0, 1.0, 5))
table[0] = 3.0
"""


def test_what_is_fixed_on_saving_is_safe_for_files_that_are_not_open(editor: Editor) -> None:
    """A table of NumPy can be written to, an array of JAX cannot."""
    editor.open("a.py", WAVE)
    editor.wait_for_places({("a.py", 7, "OAK208")})
    assert [each["title"] for each in fixes_on_saving(editor)] == ["Make all safe fixes of oakum"]
    (editor.folder / "b.py").write_text(TABLE)
    assert fixes_on_saving(editor) == []


def fixes_on_saving(editor: Editor) -> list[Message]:
    start = {"line": 0, "character": 0}
    return editor.client.request(
        "textDocument/codeAction",
        {
            "textDocument": {"uri": editor.uri("a.py")},
            "range": {"start": start, "end": start},
            "context": {"diagnostics": [], "only": ["source.fixAll"]},
        },
    )


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="the process cannot be found")
def test_keys_are_answered_while_the_project_is_looked_at(editor: Editor) -> None:
    editor.open("b.py")
    editor.wait_for_places(BUG)
    worker = worker_in_background(editor.client)
    os.kill(worker, signal.SIGSTOP)
    try:
        editor.change("b.py", EAGER, 2)
        editor.wait_for_version("b.py", 2)
        time.sleep(1.5)  # until it was asked
        editor.change("b.py", "def f(:\n", 3)
        editor.wait_for_version("b.py", 3)
        assert ("b.py", 1, "OAK001") in editor.places()
    finally:
        os.kill(worker, signal.SIGCONT)
    editor.wait_for_places({("b.py", 1, "OAK001")})


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="the process cannot be found")
def test_a_process_that_dies_takes_what_it_found_along_and_is_replaced(editor: Editor) -> None:
    editor.open("b.py")
    editor.wait_for_places(BUG)
    os.kill(worker_in_background(editor.client), signal.SIGKILL)
    editor.change("b.py", EAGER, 2)
    editor.wait_for_places(set())
    editor.change("b.py", CALLER, 3)
    editor.wait_for_places(BUG)
