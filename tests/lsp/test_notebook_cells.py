"""Notebooks in an editor: the cells are one program, and each thing is shown in its own cell."""

from pathlib import Path
from typing import Any

import pytest
from client import Client, Message

IMPORTS = "!ls\nimport jax\nimport jax.numpy as jnp\nimport numpy as np"
STEP = """\
# %load model.py
%matplotlib inline
@jax.jit
def step(x):
    y = np.sin(x)
    z = x * 2
    return y, z
"""
RUN = "s = '\U0001f600'; %time\n%time out = step(jnp.ones(3))\nfiles = !ls"


class Notebook:
    """A notebook in an editor."""

    def __init__(self, client: Client, folder: Path) -> None:
        self.client = client
        path = (folder / "a b.ipynb").as_uri()
        self.uri = path
        self.cells = [path.replace("file:", "vscode-notebook-cell:") + f"#W{n}" for n in range(9)]
        self.version = 1
        texts = [IMPORTS, STEP, RUN]
        client.notify(
            "notebookDocument/didOpen",
            {
                "notebookDocument": {
                    "uri": self.uri,
                    "notebookType": "jupyter-notebook",
                    "version": 1,
                    "cells": [self.cell(n) for n in range(3)],
                },
                "cellTextDocuments": [self.document(n, text) for n, text in enumerate(texts)],
            },
        )

    def cell(self, number: int) -> Message:
        return {"kind": 2, "document": self.cells[number]}

    def document(self, number: int, text: str) -> Message:
        uri = self.cells[number]
        return {"uri": uri, "languageId": "python", "version": 1, "text": text}

    def change(self, change: Message) -> None:
        self.version += 1
        about = {"uri": self.uri, "version": self.version}
        self.client.notify(
            "notebookDocument/didChange", {"notebookDocument": about, "change": {"cells": change}}
        )

    def edit(self, number: int, version: int, *changes: Message) -> None:
        about = {"uri": self.cells[number], "version": version}
        self.change({"textContent": [{"document": about, "changes": list(changes)}]})

    def ask(self, method: str, number: int, **more: object) -> Any:
        return self.client.request(method, {"textDocument": {"uri": self.cells[number]}, **more})

    def shown(self, number: int, code: str | None) -> list[Message]:
        """The diagnostics of a cell, once they are of a code, or none."""
        while True:
            found = self.client.published(self.cells[number])
            if (found[0]["code"] if found else None) == code:
                return found


@pytest.fixture
def notebook(tmp_path: Path) -> Any:
    client = Client(tmp_path, patience=40.0)
    yield Notebook(client, tmp_path)
    client.stop()


def place(line: int, start: int, end: int) -> Message:
    return {
        "start": {"line": line, "character": start},
        "end": {"line": line, "character": end},
    }


WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 90, "character": 0}}


def test_what_is_found_is_shown_in_its_cell(notebook: Notebook) -> None:
    found = notebook.shown(1, "OAK208")
    assert [each["range"] for each in found] == [place(4, 8, 17)]
    uris = {each["location"]["uri"] for each in found[0]["relatedInformation"]}
    assert uris <= set(notebook.cells[:3])
    hints = notebook.ask("textDocument/inlayHint", 1, range=WHOLE)
    assert [(each["position"], each["label"]) for each in hints] == [
        ({"line": 5, "character": 5}, ": traced f32[3]")
    ]
    assert notebook.ask("textDocument/inlayHint", 2, range=WHOLE) == []
    (lens,) = notebook.ask("textDocument/codeLens", 1)
    assert lens["command"]["title"] == "traced by jax.jit (a b.ipynb:cell 2:3) as f32[3]"
    assert lens["command"]["arguments"][0]["uri"] == notebook.cells[1]
    hover = notebook.ask("textDocument/hover", 2, position={"line": 1, "character": 28})
    assert hover["range"] == place(1, 17, 28), "columns count with the magic before them"
    assert "f32[3]" in hover["contents"]["value"]
    inner = notebook.ask("textDocument/hover", 1, position={"line": 4, "character": 15})
    assert "called: `step` at [a b.ipynb:cell 3:2]" in inner["contents"]["value"]


def test_actions_are_made_in_the_cell(notebook: Notebook) -> None:
    notebook.shown(1, "OAK208")
    context: Message = {"diagnostics": []}
    actions = notebook.ask("textDocument/codeAction", 1, range=place(4, 8, 8), context=context)
    edits = {each["title"]: each["edit"]["changes"] for each in actions if "edit" in each}
    (fix,) = [edit for title, edit in edits.items() if "Suppress" not in title]
    assert [each["range"]["start"]["line"] for each in fix[notebook.cells[1]]] == [4]
    (edit,) = edits["Suppress OAK208 with a comment"][notebook.cells[1]]
    assert edit["range"]["start"] == {"line": 4, "character": 17}
    assert "oakum: ignore[OAK208]" in edit["newText"]
    only: Message = {"diagnostics": [], "only": ["source.fixAll.oakum"]}
    (action,) = notebook.ask("textDocument/codeAction", 0, range=place(0, 0, 0), context=only)
    changes = action["edit"]["changes"]
    assert list(changes) == [notebook.cells[1]], "the other cells stay as they are"
    assert [each["newText"] for each in changes[notebook.cells[1]]] == ["    y = jnp.sin(x)\n"]


def test_cells_that_change_move_or_go_are_followed(notebook: Notebook) -> None:
    notebook.shown(1, "OAK208")
    notebook.edit(1, 2, {"range": place(4, 8, 10), "text": "jnp"})
    notebook.shown(1, None)
    text = "@jax.jit\ndef g(x):\n    return float(x)\ng(1.0)"
    structure: Message = {
        "array": {"start": 1, "deleteCount": 0, "cells": [notebook.cell(3)]},
        "didOpen": [notebook.document(3, text)],
    }
    notebook.change({"structure": structure})
    (found,) = notebook.shown(3, "OAK204")
    assert found["range"]["start"]["line"] == 2
    (lens,) = notebook.ask("textDocument/codeLens", 1)
    assert "cell 3:3" in lens["command"]["title"], "a cell came before it"
    gone: Message = {
        "array": {"start": 1, "deleteCount": 1},
        "didClose": [{"uri": notebook.cells[3]}],
    }
    notebook.change({"structure": gone})
    notebook.shown(3, None)
    (lens,) = notebook.ask("textDocument/codeLens", 1)
    assert "cell 2:3" in lens["command"]["title"]
    notebook.edit(1, 3, {"text": STEP})
    notebook.shown(1, "OAK208")
    about = {"uri": notebook.uri}
    closed = [{"uri": each} for each in notebook.cells[:3]]
    notebook.client.notify(
        "notebookDocument/didClose", {"notebookDocument": about, "cellTextDocuments": closed}
    )
    notebook.shown(1, None)
    assert notebook.ask("textDocument/hover", 1, position={"line": 4, "character": 15}) is None
