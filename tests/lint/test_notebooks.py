"""Notebooks: a finding names its cell and line, and `--fix` changes nothing but what it fixes."""

import json
import random
from pathlib import Path

import pytest

from oakum_lint.app.cli import main
from oakum_lint.text.notebook.cells import (
    BadNotebookError,
    Cell,
    JoinedCells,
    Notebook,
    read_notebook,
)
from oakum_lint.text.source import LineTable

PYTHON = {"language_info": {"name": "python"}}


def notebook(*sources: str, kinds: str = "", form: str = "lines", **metadata: object) -> str:
    """A notebook as Jupyter writes it: `kinds` has an `m` for each cell that is Markdown."""
    cells: list[dict[str, object]] = []
    for number, source in enumerate(sources):
        held = source.splitlines(keepends=True) if form == "lines" else source
        cell: dict[str, object] = {"cell_type": "code", "metadata": {}, "source": held}
        if kinds[number : number + 1] == "m":
            cell["cell_type"] = "markdown"
        else:
            cell |= {"execution_count": 1, "outputs": [{"data": {"text/plain": ["é 1e5 \u2028"]}}]}
        cells.append(dict(sorted(cell.items())))
    top = {"cells": cells, "metadata": metadata or PYTHON, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(top, indent=1, ensure_ascii=False) + "\n"


def read(text: str) -> Notebook:
    return read_notebook(text.encode())


STEP = "@jax.jit\ndef step(x):\n    if x > 0:\n        return x\n    return -x"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """The findings in the concise form."""
    capsys.readouterr()
    main(["check", "--output-format", "concise", *arguments])
    return [line for line in capsys.readouterr().out.splitlines() if ": OAK" in line]


class TestCheck:
    def test_cells_are_one_program_and_findings_name_them(
        self, folder: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (folder / "a.ipynb").write_text(notebook("# Title", "import jax", STEP, kinds="m"))
        (found,) = check(capsys, ".")
        assert found.startswith("a.ipynb:cell 3:3:8: OAK201 ")
        main(["check"])
        assert "3 |     if x > 0:\n  |        ^^^^^" in capsys.readouterr().out
        main(["check", "--output-format", "json"])
        (record,) = json.loads(capsys.readouterr().out)
        assert (record["file"], record["cell"], record["line"]) == ("a.ipynb", 3, 3)
        assert [related["cell"] for related in record["related"]] == [3, 3]

    def test_columns_behind_a_magic_are_those_of_the_cell(
        self, folder: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        draw = "%time a = jax.random.normal(k)"
        (folder / "a.ipynb").write_text(
            notebook("import jax\nk = jax.random.key(0)", f"{draw}\n{draw}")
        )
        column = draw.index("jax") + 1
        assert check(capsys, ".") == [
            f"a.ipynb:cell 2:2:{column}: OAK401 key `k` was already used on line 1"
        ]

    def test_a_line_of_another_cell_is_said_with_its_cell(
        self, folder: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        draw = "jax.random.normal(k)"
        (folder / "a.ipynb").write_text(
            notebook("import jax\nk = jax.random.key(0)", f"\n{draw}", draw)
        )
        (found,) = check(capsys, ".")
        assert found.endswith("was already used on line 2 of cell 2")

    def test_a_module_beside_it_is_found_from_the_notebook(
        self, folder: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (folder / "helper.py").write_text("def norm(x):\n    if x.sum() > 0:\n        return x\n")
        (folder / "a.ipynb").write_text(
            notebook("import jax\nfrom helper import norm\njax.jit(norm)(1.0)")
        )
        (folder / "pyproject.toml").write_text("")
        for paths in (["."], ["helper.py"], ["a.ipynb"]):
            (found,) = check(capsys, *paths)
            assert found.startswith("helper.py:2:8: OAK201")

    @pytest.mark.parametrize("output", ["github", "gitlab", "junit", "sarif"])
    def test_formats_without_cells_flag_the_file_and_name_the_cell(
        self, folder: Path, output: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (folder / "a.ipynb").write_text(notebook("import jax", STEP))
        main(["check", "--output-format", output])
        shown = capsys.readouterr().out
        assert "cell 2" in shown
        assert not any(f'"{name}": "a.ipynb:cell 2"' in shown for name in ("path", "uri", "file"))

    def test_suppressions_and_selection_hold(
        self, folder: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        suppressed = STEP.replace("> 0:", "> 0:  # oakum: ignore[OAK201] no")
        (folder / "a.ipynb").write_text(notebook("import jax", suppressed))
        assert check(capsys, ".") == []
        assert main(["check", "--add-ignore"]) == 0

    def test_standard_input(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        source = folder / "b.txt"
        source.write_text(notebook("import jax", STEP))
        with source.open() as stream:
            monkeypatch.setattr("sys.stdin", stream)
            (found,) = check(capsys, "-", "--stdin-filename", "a.ipynb")
        assert found.startswith("a.ipynb:cell 2:3:8: OAK201")
        assert main(["check", "-", "--stdin-filename", "a.ipynb", "--fix"]) == 2

    def test_standard_input_is_the_module_of_a_notebook_on_the_disk(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (folder / "pyproject.toml").write_text("")
        program = "import jax\nfrom helper import size\njax.jit(lambda x: range(size(x)))(3)"
        (folder / "b.ipynb").write_text(notebook(program))
        source = folder / "b.txt"
        source.write_text("def size(x):\n    return x\n")
        with source.open() as stream:
            monkeypatch.setattr("sys.stdin", stream)
            (found,) = check(capsys, "-", "--stdin-filename", "helper.py")
        assert found.startswith("b.ipynb:cell 1:3:")

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ("{", "it is not valid JSON, which a notebook is"),
            ("[]", "it is no notebook of format 4"),
            ('{"nbformat": 3, "worksheets": []}', "it is no notebook of format 4"),
            ('{"nbformat": 4, "cells": [{"cell_type": "code"}]}', "it is no notebook of format 4"),
            ('{"nbformat": 4, "cells": 1, "metadata": {}}', "it is no notebook of format 4"),
            ("[" * 100_000, "it is no notebook of format 4"),
            ('{"cells": ' + "[" * 100_000, "it is not valid JSON, which a notebook is"),
        ],
    )
    def test_what_is_no_notebook_is_2_and_a_sentence(
        self, folder: Path, text: str, problem: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (folder / "a.ipynb").write_text(text)
        assert main(["check", "a.ipynb"]) == 2
        assert problem in capsys.readouterr().out

    def test_other_languages_are_left_alone(
        self, folder: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        julia = notebook("using Flux\nf(x) = x", kernelspec={"language": "julia"})
        (folder / "a.ipynb").write_text(julia)
        assert main(["check"]) == 0


class TestMagics:
    @pytest.mark.parametrize(
        "source",
        [
            "!pip install -q jax",
            "%matplotlib inline",
            "%load_ext autoreload\n%autoreload 2",
            "files = !ls -la\nname, = %sql SELECT 1",
            "if x:\n    !ls\n    %cd ..\nelse:\n    y = %time f()",
            "?np.sum\nnp.sum?\nnp.sum??",
            "!echo \"it's\nx = 1",
            "!curl a \\\n  --data '{' \\\n  b\ny = 2",
            "%%bash\nfor i in 1 2; do echo '$i'; done",
            "%%html\n<b>it's</b>",
            "\n%%time\nx = 1\n!ls",
            "%%timeit -n 3\nx = f(\n  1)",
            "%timeit -n 10 -r 3 f(x)",
            "%timeit f(x) \t\n!ls \ny = !ls \nz = 1 ",
            "%time",
            "%env X=1",
            "x = await f()",
            "x = 5 \\\n% 3\ny = (1\n% 2)\ns = '''\n%time\n!ls\n'''",
            "z = [\n    1,\n]\n%timeit f(z)",
            "a = 1 ;",
            " def f(a):\n  b = a\n  return b\n\nc = 1",
            "  # of the cell\n  !ls\n  x = 1",
            "  %%bash\n  ls",
            "  # nothing else",
        ],
    )
    def test_magics_are_no_syntax_errors_and_come_back(self, source: str) -> None:
        found = read(notebook(source, "x = 1"))
        compile(found.text, "<cells>", "exec", 0x2000)  # with `await` outside functions
        assert found.with_text(found.text) == notebook(source, "x = 1")
        assert found.shown(found.text) == f"# %% cell 1\n{source}\n# %% cell 2\nx = 1\n"

    def test_python_that_looks_like_magic_is_left(self) -> None:
        source = "x = 5 \\\n% 3\ny = (1\n% 2)\ns = '''\n%time\n!ls\n'''\nz = x != y"
        assert read(notebook(source)).text == f"#:cell 1:\n{source}\n"

    def test_an_open_bracket_spoils_no_other_cell(self) -> None:
        text = read(notebook("f(\n!ls", "%matplotlib inline\nx = 1")).text
        assert "pass  #:magic" in text.split("#:cell 2:")[1]


class TestFix:
    @pytest.mark.parametrize("form", ["lines", "text"])
    @pytest.mark.parametrize("indent", [1, 4, None])
    def test_only_the_changed_lines_are_written(
        self, folder: Path, form: str, indent: int | None
    ) -> None:
        unused = "y = 'é'  # oakum: ignore[OAK201]"
        sources = [
            "# é",
            "import jax\n%time x = 1\n!ls",
            f"x = 'a\\u00e9'\n{unused}\nz = 2",
            "w = 1",
        ]
        before = notebook(*sources, kinds="m", form=form)
        after = notebook(
            *sources[:2], sources[2].replace(unused, "y = 'é'"), "w = 1", kinds="m", form=form
        )
        if indent != 1:
            before, after = (
                json.dumps(json.loads(text), indent=indent, ensure_ascii=False)
                for text in (before, after)
            )
        (folder / "a.ipynb").write_text(before)
        assert main(["check", "--fix"]) == 0
        assert (folder / "a.ipynb").read_text() == after

    def test_what_was_written_without_accents_stays_so(self, folder: Path) -> None:
        """Else the change is in each such line, and in tools that expect ASCII."""
        code = "x = 'é'; y = 1  # oakum: ignore[OAK201]\nz = 'ö'\n"
        text = json.dumps(json.loads(notebook("import jax", code, form="text")))
        assert text.isascii()
        (folder / "a.ipynb").write_text(text)
        assert main(["check", "--fix"]) == 0
        written = (folder / "a.ipynb").read_text()
        assert written.isascii()
        assert "oakum: ignore" not in written

    def test_a_split_stays_in_its_cell(self, folder: Path) -> None:
        """Who runs the cell once more would have the same draw each time."""
        draws = "key = jax.random.key(0)\na = jax.random.normal(key)"
        split = "key, sub = jax.random.split(key)\nb = jax.random.normal(sub)"
        Path("n.ipynb").write_text(notebook("import jax", draws, split))
        main(["check", "--fix", "--unsafe-fixes"])
        assert "".join(json.loads(Path("n.ipynb").read_text())["cells"][2]["source"]) == split

    def test_unsafe_fixes_and_their_imports(
        self, folder: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """JSON had a fix without edits, which a program took for one that changes nothing."""
        (folder / "a.ipynb").write_text(notebook("!pip install jax\nimport jax", STEP))
        main(["check", "--output-format", "json"])
        assert [each["fix"] for each in json.loads(capsys.readouterr().out)] == [None]
        assert main(["check", "--fix", "--unsafe-fixes"]) == 0
        cells = json.loads((folder / "a.ipynb").read_text())["cells"]
        assert cells[0]["source"][0] == "!pip install jax\n"
        assert "import jax.numpy as jnp" in "".join(cells[0]["source"])
        assert "jnp.where(x > 0, x, -x)" in "".join(cells[1]["source"])
        assert cells[1]["outputs"] == json.loads(notebook(""))["cells"][0]["outputs"]

    def test_results_of_one_function_in_two_cells_may_be_compared(
        self, folder: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Their key was split: the plots before and after a training were of other draws."""
        draw = "import jax\n\n\ndef draw(scale, key):\n    return scale * jax.random.normal(key)\n"
        cells = draw, "key = jax.random.key(0)\na = draw(1, key)", "b = draw(2, key)"
        (folder / "a.ipynb").write_text(notebook(*cells))
        main(["check", "--output-format", "json", "--min-severity", "information"])
        (found,) = json.loads(capsys.readouterr().out)
        assert (found["severity"], found["fix"]) == ("information", None)
        assert main(["check", "--fix", "--unsafe-fixes"]) == 0
        assert "split" not in (folder / "a.ipynb").read_text()

    def test_a_difference_shows_what_stands_in_the_cells(
        self, folder: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (folder / "a.ipynb").write_text(notebook("!ls\nx = 1  # oakum: ignore[OAK201]\n!ls"))
        assert main(["check", "--diff"]) == 1
        shown = capsys.readouterr().out
        assert shown.endswith(
            "@@ -1,4 +1,4 @@\n # %% cell 1\n !ls\n-x = 1  # oakum: ignore[OAK201]\n+x = 1\n !ls\n"
        )


def test_each_place_of_a_text_is_one_in_its_cell() -> None:
    """The character that a place names in the text stands there in the cell too."""
    draw = random.Random(3)
    pieces = [
        "x = f(1)",
        "!ls",
        "%time y = 2",
        "if a:\n    !ls",
        "",
        "s = '''\n%x\n'''",
        "a = !b",
        "é = 1",
    ]
    for _ in range(200):
        sources = ["\n".join(draw.choices(pieces, k=draw.randrange(5))) for _ in range(3)]
        found = read(notebook(*sources))
        lines = LineTable(found.text)
        for offset, character in enumerate(found.text):
            line, column = lines.place(offset)
            cell, own_line, own_column = found.place(line, column)
            text = found.text.split("\n")[line - 1]
            if text.startswith("#:cell") or "#:magic" in text[: column + 8] or character == "\n":
                continue
            own = cell.source.split("\n")[own_line - 1]
            if "pass" not in text and "get_ipython" not in text:
                assert own[own_column - 1] == character
        assert found.with_text(found.text) == notebook(*sources)


def test_a_text_that_has_lost_a_cell_is_never_written() -> None:
    with pytest.raises(BadNotebookError):
        read(notebook("x = 1", "y = 2")).with_text("#:cell 1:\nx = 1\n")


@pytest.mark.parametrize(
    "line",
    ["timeit -n 5 -r 5 f(x)", "pip install -U jax", "cd ~/work", "cd ..", "ls ./data", "cd $HOME"],
)
def test_a_magic_without_its_sign_is_one_where_a_cell_is_one_line(line: str) -> None:
    raw = notebook(line, f"{line}\ny = 1", "time = 3", "time - time")
    read = read_notebook(raw.encode())
    shown = read.text.split("\n")
    assert shown[1].startswith("pass  #:")
    assert line in shown[3:]  # IPython takes it for Python there
    assert "time - time" in shown
    assert read.with_text(read.text) == raw


def test_a_cell_behind_one_that_fails_is_run_by_itself(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a program does not reach, the user of a notebook does."""
    head = "import jax\nimport jax.numpy as jnp\nkey = jax.random.key(0)"
    fails = "jnp.zeros((2, 3)) + jnp.zeros(4)"
    draws = "a = jax.random.normal(key)\nb = jax.random.normal(key)"
    (folder / "cells.ipynb").write_text(notebook(head, fails, draws))
    (folder / "script.py").write_text(f"{head}\n{fails}\n{draws}\n")
    proved = check(capsys, "--min-confidence", "proved", ".")
    assert [line.partition(": OAK")[2][:3] for line in proved] == ["501", "401", "501"]


def test_a_cell_that_ran_after_others_reads_what_is_bound_next(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Cells that were moved up, or run again, say nothing of names that are bound twice below."""
    head = "import jax\nimport jax.numpy as jnp\nx = jnp.ones((3, 2))"
    call = "print(loss(x, x))"
    plain = "def loss(a, b):\n    return jnp.sum((a - b) ** 2)"
    mapped = "loss = jax.vmap(lambda a, b, c: a + b + c, in_axes=(0, None, 0))\nloss(x, x, x)"
    (folder / "moved.ipynb").write_text(notebook(head, call, plain, call, mapped))
    assert check(capsys, ".") == []


def test_what_a_cell_ends_with_is_shown(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody has to repair what is there to be looked at."""
    head = "import jax.numpy as jnp\nmask = jnp.ones(3)"
    update = "mask.at[0].set(0)"
    ends = notebook(head, update, "print(mask)", f"for _ in range(2):\n    {update}", update)
    (folder / "ends.ipynb").write_text(ends)
    (folder / "goes_on.ipynb").write_text(notebook(head, f"{update}\nprint(mask)"))
    found = check(capsys, "--min-confidence", "proved", ".")
    assert [line.partition(": OAK")[0] for line in found] == [
        "ends.ipynb:cell 4:2:5",
        "goes_on.ipynb:cell 2:1:1",
    ]


def test_a_place_in_a_cell_is_the_one_that_reports_name() -> None:
    """An editor asks about a column of a cell, the first too, and behind a magic, also in the last
    line.
    """
    sources = ("x = 1\ny = x\n", "%time z = x\nw = z\n%time v = w")
    cells = [Cell(number, text, 0, 0) for number, text in enumerate(sources, 1)]
    joined = JoinedCells(cells)
    for cell in cells:
        for line, text in enumerate(cell.source.splitlines(), 1):
            for column in range(text.find("%time ") + 7 if "%" in text else 1, len(text) + 2):
                place = joined.position(cell.number, line, column)
                assert joined.place(*place) == (cell, line, column)
