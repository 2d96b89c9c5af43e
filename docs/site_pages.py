"""Makes the pages of the site that come from the code: codes, errors, the API, the names of JAX.

MkDocs calls the functions `on_*`; see `mkdocs.yml`. What a page says stands in one place: a rule's
docstring, a declaration, README's example, the tables of `benchmarks/`.
"""

import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from oakum import errors
from oakum.errors import OakumError
from oakum.values.codes import INTERNAL_ERROR, Code
from oakum_lint.rules import catalogue, page

ROOT = Path(__file__).parents[1]
MODULES = (
    *("oakum", "oakum.numpy", "oakum.numpy.linalg", "oakum.numpy.fft", "oakum.lax", "oakum.nn"),
    *("oakum.nn.initializers", "oakum.random", "oakum.scipy.special", "oakum.scipy.linalg"),
    *("oakum.scipy.stats", "oakum.scipy.signal", "oakum.scipy.optimize", "oakum.scipy.ndimage"),
    *("oakum.tree", "oakum.tree_util", "oakum.image", "oakum.ops", "oakum.debug", "oakum.dtypes"),
    *("oakum.errors", "oakum.interop", "oakum.flatten_util", "oakum.custom_batching"),
)
"""The modules of the API, each a page."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages that are made."""
    made = {
        "codes/index.md": _codes(),
        **{f"codes/{code.code}.md": _code(code.code) for code in catalogue.rows()},
        "errors.md": _errors(),
        "api/index.md": _api_index(),
        **{f"api/{name}.md": _api(name) for name in MODULES},
        "jax-names.md": "\n".join(_names_of_jax()),
    }
    for path, content in made.items():
        files.append(File.generated(config, path, content=content))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Puts what stands elsewhere in the place of its name."""

    def found(match: re.Match[str]) -> str:
        return {"finding": _finding, "program": _program, "benchmarks": _benchmarks}[match[1]]()

    return re.sub(r"^--8<-- (\w+)$", found, markdown, flags=re.MULTILINE)


# --- what README and the benchmarks say -------------------------------------------------------


def _block(language: str, start: str) -> str:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.search(rf"```{language}\n({re.escape(start)}.*?)\n```", readme, flags=re.DOTALL)
    if found is None:
        raise ValueError(f"README has no block that begins with {start!r}")
    return found[1]


def _program() -> str:
    return _block("python", "import jax")


def _finding() -> str:
    return _block("text", "$ oakum check train.py")


def _benchmarks() -> str:
    """The tables of the benchmarks, each under its title one level lower."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("benchmarks/*.md"))]
    return "\n\n".join(re.sub(r"^#", "##", text, flags=re.MULTILINE) for text in texts)


# --- codes ------------------------------------------------------------------------------------


def _codes() -> str:
    rows = [
        f"| [{code.code}]({code.code}.md) | {code.name} | {code.title} |"
        for code in catalogue.rows()
    ]
    head = ["# Codes", "", "| code | name | what was found |", "| --- | --- | --- |"]
    return "\n".join([*head, *rows, ""])


def _code(name: str) -> str:
    code = catalogue.find(name)
    assert code is not None
    text = "\n".join(page.markdown_page(page.page(code)))
    # A page of its own begins with the first level, and needs no anchor.
    text = re.sub(r'^<a id="\w+"></a>\n+', "", text)
    text = re.sub(r"^#(#+ )", r"\1", text, flags=re.MULTILINE)
    text = text.replace("<details>", '<details markdown="1">')
    return re.sub(r"(?<!\()(https://[^\s)]+[^\s).,])", r"<\1>", text) + "\n"


def _errors() -> str:
    """From the name of an error to the codes that prevent it."""
    lines = [
        "# An error and what to do",
        "",
        "From the last line of a traceback to the page that says what to write instead.",
        "Errors of the engine end with their code; those of JAX get one under `oakum run`.",
        "",
    ]
    for name, codes in sorted(_codes_of_errors().items()):
        value = getattr(errors, name, None)
        says = [inspect.getdoc(value) or "", ""] if value else []
        rows = (f"- [{each.code}](codes/{each.code}.md) {each.title}" for each in codes)
        lines += [f"## {name}", "", *says, *rows, ""]
    return "\n".join(lines)


def _codes_of_errors() -> dict[str, list[Code]]:
    """The codes of each error: those whose pages name it, else those of the class and of the
    classes below it. Of Python's classes that no page names, those of the engine's below them.
    """
    found: dict[str, list[Code]] = {}
    for code in catalogue.rows():
        section = page.page(code).sections.get("At run time", "")
        for name in dict.fromkeys(re.findall(r"\b[A-Z]\w+Error\b", section)):
            found.setdefault(name, []).append(code)
    by_page = frozenset(found)
    for value in vars(errors).values():
        if not (isinstance(value, type) and issubclass(value, OakumError)):
            continue
        for above in value.__mro__[: -len(Exception.__mro__)]:
            codes = found.setdefault(above.__name__, [])
            new = value.default_code
            if above.__name__ not in by_page and new is not INTERNAL_ERROR and new not in codes:
                codes.append(new)
    del found[OakumError.__name__]  # what it is the base of are all of them
    return {name: codes or [INTERNAL_ERROR] for name, codes in found.items()}


# --- the API ----------------------------------------------------------------------------------


def _module(name: str) -> ModuleType:
    return importlib.import_module(name)


def _public(module: ModuleType) -> list[str]:
    names = [name for name in dir(module) if not name.startswith("_")]
    return [name for name in names if not inspect.ismodule(getattr(module, name))]


def _api_index() -> str:
    lines = ["# API", ""]
    for name in MODULES:
        summary = (inspect.getdoc(_module(name)) or "").partition("\n\n")[0].replace("\n", " ")
        lines.append(f"- [`{name}`]({name}.md) {summary}")
    return "\n".join([*lines, ""])


def _api(name: str) -> str:
    module = _module(name)
    lines = [f"# {name}", "", _prose(inspect.getdoc(module) or ""), ""]
    for each in _public(module):
        value = getattr(module, each)
        if not callable(value):
            continue
        lines += [f"## {each}", "", "```python", f"{each}{_signature(value)}", "```", ""]
        lines += [_prose(inspect.getdoc(value) or ""), ""]
    return "\n".join(lines)


def _signature(value: object) -> str:
    try:
        text = str(inspect.signature(value))  # pyright: ignore[reportArgumentType]
    except (TypeError, ValueError):
        return ""
    return re.sub(r"'([^']*)'", r"\1", text)


def _prose(text: str) -> str:
    """A docstring as Markdown: examples are blocks of code."""
    out: list[str] = []
    inside = False
    for line in text.splitlines():
        starts = line.lstrip().startswith(">>>")
        if starts and not inside:
            out += ["", "```pycon"]
            inside = True
        elif inside and not line.strip():
            out += ["```"]
            inside = False
        out.append(line.replace("<", "&lt;") if not inside else line)
    return "\n".join([*out, *(["```"] if inside else [])])


# --- the names of JAX -------------------------------------------------------------------------


def _names_of_jax() -> Iterator[str]:
    """The table of `jax_names.py`, a section for each module."""
    version, *sections = (ROOT / "docs" / "jax_names.txt").read_text(encoding="utf-8").split("\n\n")
    yield "# Names of JAX"
    yield ""
    yield f"The public names of {version}, primitives (`add_p`) aside. *Same*: the name is there,"
    yield "and takes the same parameters; *deviates*: it lacks a parameter (`-`) or has one more"
    yield "(`+`); *declared*: `oakum check` knows it, and calling it raises `NotEvaluatedError`"
    yield "([OAK007](codes/OAK007.md)); *absent*: there is no such name."
    for section in sections:
        title, *rows = section.strip().split("\n")
        states = [row.split(" ", 2) for row in rows]
        yield from ("", f"## {title[1:-1]}", "", "| name | oakum has |", "| --- | --- |")
        for name, state, *detail in states:
            more = f": `{detail[0]}`" if detail else ""
            yield f"| `{name}` | {state}{more} |"
