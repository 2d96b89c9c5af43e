"""The server checks the folders that are open, pushes or answers diagnostics, and sees changes."""

import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from client import Client, Message
from two_file_bugs import SHAPES, write_files

from oakum_lsp.documents import edit

HELPER = SHAPES["function"]["a.py"]
CALLER = dedent(SHAPES["function"]["b.py"])
EAGER = CALLER.replace("jax.jit(signed)", "signed")

PUSHED: Message = {}
PULLED: Message = {
    "textDocument": {"diagnostic": {}},
    "workspace": {"diagnostics": {"refreshSupport": True}},
}

PATIENCE = 60.0


class Editor:
    """An editor with one folder open, and what it shows of each file."""

    def __init__(self, folder: Path, capabilities: Message) -> None:
        self.folder = folder
        self.shown: dict[str, list[Message]] = {}
        self.versions: dict[str, int | None] = {}
        self.asked: list[Message] = []
        self.logged: list[str] = []
        self.progress: list[str] = []
        self.client = Client(folder, initialize=False)
        self.offered: Message = self.client.request(
            "initialize",
            {
                "processId": None,
                "workspaceFolders": [{"uri": folder.as_uri(), "name": "folder"}],
                "capabilities": capabilities,
            },
        )["capabilities"]
        self.client.notify("initialized", {})

    def uri(self, file: str) -> str:
        return (self.folder / file).as_uri()

    def open(self, file: str, text: str | None = None) -> None:
        self.client.open(self.uri(file), text or (self.folder / file).read_text())

    def take(self) -> None:
        """Takes the next message of the server."""
        message = self.client.receive()
        params: Message = message.get("params") or {}
        match message.get("method"):
            case "textDocument/publishDiagnostics":
                self.shown[params["uri"]] = params["diagnostics"]
                self.versions[params["uri"]] = params.get("version")
            case "$/progress":
                self.progress.append(params["value"]["kind"])
            case "window/logMessage":
                self.logged.append(params["message"])
            case _:
                self.asked.append(message)
                if "id" in message and "method" in message:
                    self.client.send_body(
                        b'{"jsonrpc":"2.0","id":"%s","result":null}' % message["id"].encode()
                    )

    def wait_for(self, condition: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, (self.shown, self.asked, self.logged)
            self.take()

    def lines(self) -> dict[str, list[int]]:
        """The lines of what is shown, by file."""
        return {
            Path(uri).name: [found["range"]["start"]["line"] + 1 for found in several]
            for uri, several in self.shown.items()
            if several
        }

    def wait_for_lines(self, expected: dict[str, list[int]]) -> None:
        self.wait_for(lambda: self.lines() == expected)

    def end(self) -> None:
        try:
            assert self.client.stop() == 0
            assert self.logged == []
        finally:
            self.client.kill()


def project(folder: Path) -> Path:
    write_files(folder, SHAPES["function"])
    return folder


def test_files_that_nobody_has_opened_are_checked(tmp_path: Path) -> None:
    editor = Editor(project(tmp_path), {"window": {"workDoneProgress": True}})
    editor.wait_for_lines({"a.py": [3]})
    (found,) = editor.shown[editor.uri("a.py")]
    assert "not named" not in found["message"]
    assert editor.versions[editor.uri("a.py")] is None
    editor.wait_for(lambda: editor.progress == ["begin", "end"])
    created = [each["method"] for each in editor.asked]
    assert created == ["window/workDoneProgress/create"]
    editor.end()


def test_a_notebook_traces_modules_and_shows_nothing_at_lines_of_its_file(tmp_path: Path) -> None:
    """Its cells are documents of their own, where an editor opens it."""
    write_files(tmp_path, {"a.py": HELPER})
    source = ["import jax\n", "from a import signed\n", "jax.jit(signed)(1.0)\n"]
    own = ["@jax.jit\n", "def f(x):\n", "    if x > 0:\n", "        return x\n"]
    cells: list[dict[str, object]] = [
        {"cell_type": "code", "source": lines} for lines in (source, own)
    ]
    notebook: dict[str, object] = {
        "cells": cells,
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    (tmp_path / "b.ipynb").write_text(json.dumps(notebook))
    editor = Editor(tmp_path, PUSHED)
    editor.wait_for(lambda: bool(editor.shown.get(editor.uri("a.py"))))
    assert not editor.shown.get(editor.uri("b.ipynb"))
    (found,) = editor.shown[editor.uri("a.py")]
    assert all("b.ipynb" not in each["location"]["uri"] for each in found["relatedInformation"])
    editor.end()


def test_an_editor_without_progress_is_sent_none(tmp_path: Path) -> None:
    editor = Editor(project(tmp_path), PUSHED)
    editor.wait_for_lines({"a.py": [3]})
    assert (editor.progress, editor.asked) == ([], [])
    editor.end()


def test_what_edits_change_in_other_files_is_shown(tmp_path: Path) -> None:
    """Then what the document is, when it is closed, as it is on disk."""
    editor = Editor(project(tmp_path), PUSHED)
    editor.wait_for_lines({"a.py": [3]})
    editor.open("b.py", EAGER)
    editor.wait_for_lines({})
    editor.client.change(editor.uri("b.py"), CALLER, 2)
    editor.wait_for_lines({"a.py": [3]})
    editor.client.change(editor.uri("b.py"), EAGER, 3)
    editor.wait_for_lines({})
    editor.client.close(editor.uri("b.py"))
    editor.wait_for_lines({"a.py": [3]})
    editor.end()


def test_a_document_takes_the_place_of_its_file(tmp_path: Path) -> None:
    editor = Editor(project(tmp_path), PUSHED)
    editor.wait_for_lines({"a.py": [3]})
    editor.open("a.py", f"# one line more\n{dedent(HELPER)}")
    editor.wait_for_lines({"a.py": [4]})
    assert editor.versions[editor.uri("a.py")] == 1
    editor.client.close(editor.uri("a.py"))
    editor.wait_for_lines({"a.py": [3]})
    assert editor.versions[editor.uri("a.py")] is None
    editor.end()


def test_files_on_disk_are_followed(tmp_path: Path) -> None:
    """They are created, changed, renamed by the editor, and deleted; so is the configuration."""
    project(tmp_path)
    (tmp_path / "b.py").unlink()
    editor = Editor(tmp_path, PUSHED)

    def change(file: str, kind: int) -> None:
        changes = [{"uri": editor.uri(file), "type": kind}]
        editor.client.notify("workspace/didChangeWatchedFiles", {"changes": changes})

    def say(what: str, **uris: str) -> None:
        files = [{name: editor.uri(file) for name, file in uris.items()}]
        editor.client.notify(f"workspace/{what}", {"files": files})

    (tmp_path / "b.py").write_text(CALLER)
    say("didCreateFiles", uri="b.py")
    editor.wait_for_lines({"a.py": [3]})
    (tmp_path / "b.py").write_text(EAGER)
    change("b.py", 2)
    editor.wait_for_lines({})
    (tmp_path / "b.py").write_text(CALLER)
    change("b.py", 2)
    editor.wait_for_lines({"a.py": [3]})
    (tmp_path / "a.py").rename(tmp_path / "c.py")
    say("didRenameFiles", oldUri="a.py", newUri="c.py")
    editor.wait_for_lines({})
    (tmp_path / "c.py").rename(tmp_path / "a.py")
    say("didRenameFiles", oldUri="c.py", newUri="a.py")
    editor.wait_for_lines({"a.py": [3]})
    (tmp_path / "pyproject.toml").write_text('[tool.oakum]\nignore = ["OAK201"]\n')
    change("pyproject.toml", 2)
    editor.wait_for_lines({})
    (tmp_path / "pyproject.toml").write_text("")
    editor.client.notify("workspace/didChangeConfiguration", {"settings": {}})
    editor.wait_for_lines({"a.py": [3]})
    (tmp_path / "b.py").unlink()
    say("didDeleteFiles", uri="b.py")
    editor.wait_for_lines({})
    editor.end()


def test_a_folder_that_is_removed_takes_its_findings_along(tmp_path: Path) -> None:
    editor = Editor(project(tmp_path), PUSHED)
    editor.wait_for_lines({"a.py": [3]})
    folder = {"uri": tmp_path.as_uri(), "name": "folder"}
    for added, removed, lines in (([], [folder], {}), ([folder], [], {"a.py": [3]})):
        event = {"event": {"added": added, "removed": removed}}
        editor.client.notify("workspace/didChangeWorkspaceFolders", event)
        editor.wait_for_lines(lines)
    editor.end()


# --- pulled ---------------------------------------------------------------------------------------


def pull(editor: Editor, file: str, previous: str | None = None) -> Any:
    params: Message = {"textDocument": {"uri": editor.uri(file)}}
    if previous is not None:
        params["previousResultId"] = previous
    return editor.client.request("textDocument/diagnostic", params)


def test_an_editor_that_pulls_is_answered_and_asked_to_pull_again(tmp_path: Path) -> None:
    project(tmp_path)
    editor = Editor(tmp_path, PULLED)
    assert editor.offered["diagnosticProvider"]["workspaceDiagnostics"] is True
    editor.open("b.py", EAGER)
    first = pull(editor, "b.py")
    assert (first["kind"], first["items"]) == ("full", [])
    assert pull(editor, "b.py", first["resultId"]) == {
        "kind": "unchanged",
        "resultId": first["resultId"],
    }
    editor.client.change(editor.uri("b.py"), "def f(:\n", 2)
    broken = pull(editor, "b.py", first["resultId"])
    assert [found["code"] for found in broken["items"]] == ["OAK001"]
    assert pull(editor, "a.py")["items"] == []
    editor.client.change(editor.uri("b.py"), CALLER, 3)
    lines: list[int] = []
    while lines != [2]:
        editor.asked.clear()
        editor.wait_for(lambda: bool(editor.asked))
        assert [each["method"] for each in editor.asked] == ["workspace/diagnostic/refresh"]
        found = pull(editor, "a.py")["items"]
        lines = [each["range"]["start"]["line"] for each in found]
    assert editor.shown == {}
    editor.end()


def test_the_workspace_is_pulled(tmp_path: Path) -> None:
    editor = Editor(project(tmp_path), PULLED)
    editor.wait_for(lambda: bool(editor.asked))

    def pulled(previous: dict[str, str]) -> dict[str, Message]:
        ids = [{"uri": editor.uri(file), "value": value} for file, value in previous.items()]
        result = editor.client.request("workspace/diagnostic", {"previousResultIds": ids})
        return {Path(item["uri"]).name: item for item in result["items"]}

    first = pulled({})
    assert list(first) == ["a.py"]
    assert first["a.py"]["version"] is None
    assert [found["code"] for found in first["a.py"]["items"]] == ["OAK201"]
    second = pulled({"a.py": first["a.py"]["resultId"]})
    assert second["a.py"]["kind"] == "unchanged"
    (tmp_path / "a.py").unlink()
    changes = [{"uri": editor.uri("a.py"), "type": 3}]
    editor.client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    third = pulled({"a.py": first["a.py"]["resultId"]})
    assert (third["a.py"]["kind"], third["a.py"]["items"]) == ("full", [])
    editor.end()


def test_a_pull_that_is_cancelled_is_answered_so(tmp_path: Path) -> None:
    editor = Editor(project(tmp_path), PULLED)
    editor.open("b.py")
    params = {"textDocument": {"uri": editor.uri("b.py")}}
    editor.client.send_body(
        b'{"jsonrpc":"2.0","id":"one","method":"textDocument/diagnostic","params":'
        b'{"textDocument":{"uri":"%s"}}}' % params["textDocument"]["uri"].encode()
    )
    editor.client.notify("$/cancelRequest", {"id": "one"})
    answers: list[Message] = []
    while not answers:
        message = editor.client.receive()
        answers += [message] if message.get("id") == "one" else []
    assert answers[0]["error"]["code"] == -32800
    editor.end()


# --- incremental sync -----------------------------------------------------------------------------


def place(text: str, offset: int, encoding: str) -> Message:
    """A position in a text, worked out again from its lines."""
    before = text[:offset]
    line = before.count("\n")
    column = before[before.rfind("\n") + 1 :]
    widths = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}
    sizes = {"utf-8": 1, "utf-16": 2, "utf-32": 4}
    units = len(column.encode(widths[encoding])) // sizes[encoding]
    return {"line": line, "character": units}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_edits_make_the_text_that_the_editor_has(encoding: str) -> None:
    draw = random.Random(5)
    text = "".join(draw.choices("ab\né\U0001f600 ", k=80))
    for _ in range(400):
        start = draw.randrange(len(text) + 1)
        end = draw.randint(start, min(len(text), start + 9))
        new = "".join(draw.choices("xy\né\U0001f600", k=draw.randrange(9)))
        asked: Any = {"start": place(text, start, encoding), "end": place(text, end, encoding)}
        expected = text[:start] + new + text[end:]
        assert edit(text, asked, new, encoding) == expected
        text = expected


def test_an_edit_beyond_a_line_or_the_text_ends_there() -> None:
    beyond: Any = {"start": {"line": 0, "character": 99}, "end": {"line": 0, "character": 99}}
    assert edit("a\r\nb", beyond, "!", "utf-16") == "a!\r\nb"
    after: Any = {"start": {"line": 9, "character": 0}, "end": {"line": 12, "character": 0}}
    assert edit("a\r\nb", after, "!", "utf-16") == "a\r\nb!"


def test_a_document_is_edited_by_what_changes(tmp_path: Path) -> None:
    editor = Editor(project(tmp_path), PUSHED)
    editor.open("a.py")
    editor.wait_for_lines({"a.py": [3]})
    changes = [
        {
            "range": {
                "start": {"line": 0, "character": 0},
                "end": {"line": 0, "character": 0},
            },
            "text": "# one\n# two \U0001f600\n",
        },
        {
            "range": {
                "start": {"line": 1, "character": 2},
                "end": {"line": 1, "character": 8},
            },
            "text": "",
        },
    ]
    editor.client.notify(
        "textDocument/didChange",
        {
            "textDocument": {"uri": editor.uri("a.py"), "version": 2},
            "contentChanges": changes,
        },
    )
    editor.wait_for_lines({"a.py": [5]})
    assert editor.versions[editor.uri("a.py")] == 2
    editor.end()
