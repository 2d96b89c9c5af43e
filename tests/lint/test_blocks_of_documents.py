"""Python in documents: which blocks are looked at, where findings are, and what is fixed."""

import difflib
from pathlib import Path

import pytest

from oakum_lint.app.cli import main
from oakum_lint.text.notebook.cells import BadNotebookError
from oakum_lint.text.notebook.documents import read_document

BUG = "import jax, numpy as np\njax.jit(lambda x: np.sin(x))(1.0)\n"
FENCES = [
    f"```python\n{BUG}```\n",
    f"Text.\n~~~~ py title='a.py'\n{BUG}~~~~\n",
    f"```{{code-cell}} ipython3\n:tags: [hide]\n\n{BUG}```\n",
    f"```{{.python .numberLines}}\n{BUG}```\n",
    "1. In a list:\n\n   ```python\n   " + BUG.replace("\n", "\n   ").rstrip() + "\n   ```\n",
    f"````\n```python\n````\n\n```python\n{BUG}```\n",
    f"```python\n  # as it stands\n{BUG}```\n",
    f"```python\n{BUG}",  # never closed: it ends with the document
    f"```bash\npip install oakum\n```\n```python\nx = [1, ...\n```\n```python\n{BUG}```\n",
]
DIRECTIVES = [
    ".. code-block:: python\n   :linenos:\n\n   "
    + BUG.replace("\n", "\n   ").rstrip()
    + "\n\nEnd.\n",
    "T\n\n>>> import jax, numpy as np\n>>> jax.jit(\n...   lambda x: np.sin(x))(1.0)\n0.84\n\nEnd",
    ".. code::\n\n    >>> import jax, numpy as np\n    >>> jax.jit(lambda x: np.sin(x))(1.0)\n",
]


@pytest.mark.parametrize(
    ("name", "text"),
    [*(("a.md", text) for text in FENCES), *(("a.rst", text) for text in DIRECTIVES)],
)
def test_a_finding_is_at_its_line_and_column_of_the_document(
    name: str,
    text: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(text, encoding="utf-8")
    assert main(["check", "--isolated", "--output-format", "concise", "--documents", "."]) == 1
    shown = capsys.readouterr().out
    lines = text.split("\n")
    line = next(number for number, each in enumerate(lines, 1) if "np.sin" in each)
    column = lines[line - 1].index("np.sin") + 1
    assert shown.startswith(f"{name}:{line}:{column}: OAK208 "), shown
    assert "Found 1 finding" in shown


def test_documents_are_checked_where_that_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.md").write_text(FENCES[0], encoding="utf-8")
    Path("b.py").write_text("x = 1\n", encoding="utf-8")
    assert main(["check", "--isolated", "."]) == 0
    assert main(["check", "--isolated", "a.md"]) == 1  # what is named is always checked
    Path("pyproject.toml").write_text("[tool.oakum]\ndocuments = true\n", encoding="utf-8")
    assert main(["check", "."]) == 1
    capsys.readouterr()


def test_a_fix_changes_the_lines_of_its_fence_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = "".join(f"# Part {n}\r\n\r\n{fence}" for n, fence in enumerate(FENCES))
    Path("a.md").write_bytes(text.encode())
    assert main(["check", "--isolated", "--fix", "--unsafe-fixes", "--exit-zero", "a.md"]) == 0
    capsys.readouterr()
    lines = [*difflib.ndiff(text.split("\n"), Path("a.md").read_bytes().decode().split("\n"))]
    assert {line[2:].strip() for line in lines if line[0] == "-"} == {BUG.split("\n")[1]}
    added = [line[2:] for line in lines if line[0] == "+"]
    assert "import jax.numpy as jnp" in added
    assert all("jnp" in line for line in added)
    assert main(["check", "--isolated", "--diff", "--unsafe-fixes", "a.md"]) == 0


def test_examples_at_a_prompt_are_not_written() -> None:
    document = read_document(DIRECTIVES[1].encode())
    assert document.with_text(document.text) == DIRECTIVES[1]
    with pytest.raises(BadNotebookError, match="only fences"):
        document.with_text(document.text.replace("np.sin", "jnp.sin"))
    with pytest.raises(BadNotebookError, match="takes for its own"):
        read_document(b"```python\n#:block 1:\n```\n")


@pytest.mark.parametrize("text", [*FENCES, *DIRECTIVES, "", "```", ">>> x", "```python\n\n```\n"])
def test_what_is_read_can_be_written_back(text: str) -> None:
    document = read_document(text.encode())
    assert document.with_text(document.text) == text
    assert document.text.count("\n") == text.count("\n")
