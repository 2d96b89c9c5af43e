"""Fixes of single texts, for tests."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

from oakum_lint.app.fixing.fixpoint import fix_findings
from oakum_lint.app.live.passes import PassParts
from oakum_lint.app.runner import check_files
from oakum_lint.app.settings import Settings
from oakum_lint.text.finding import Finding, Fix

FILE = "/fixed/example.py"
HEAD = "import jax\nimport jax.numpy as jnp\nimport numpy as np\n\n\n"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was found in a text, the text after its fixes, and what is found then."""

    before: list[Finding]
    text: str
    after: list[Finding]


def fix_text(text: str, *, unsafe: bool = True, select: str = "OAK") -> Outcome:
    """Fixes a text as `oakum check --fix` does, with `--unsafe-fixes` unless told otherwise."""
    settings = Settings("/fixed")
    settings.select = (select,)
    # What is likely to be meant may have no fix: that is tested, too.
    settings.min_severity = "information"
    overlay = {Path(FILE): text}
    parts = PassParts()
    result = check_files([FILE], settings, overlay, cache=parts.cache, index=parts)
    before = list(result.findings)
    fixed = fix_findings(result, settings, overlay, parts, unsafe=unsafe)
    return Outcome(before, fixed.texts.get(FILE, text), fixed.result.findings)


def shown_fix(fix: Fix, text: str, before: int = 0) -> Iterator[str]:
    """How safe a fix of a text is, its title, and its edits by line, so many of which come before
    the first one that is counted.
    """
    yield f"{fix.safety.value} fix: {fix.title}"
    for edit in fix.edits:
        line = text.count("\n", 0, edit.start) + 1 - before
        yield f"  {line}: {text[edit.start : edit.end]!r} -> {edit.text!r}"


def fixed(body: str, call: str) -> str:
    """The body of a program after its fixes, made ready to be compared."""
    text = f"{HEAD}{dedent(body)}\n\n{call}\n"
    return fix_text(text).text.removeprefix(HEAD).removesuffix(f"\n\n{call}\n")


def in_one_line(text: str) -> str:
    """A text without blanks, and the commas behind last items, to be compared."""
    return "".join(text.split()).replace(",)", ")")


def jitted(body: str, parameters: str = "x", values: str = "1.0") -> str:
    """What the body of a jitted function is after its fixes."""
    lines = dedent(body).strip("\n").splitlines()
    program = "\n".join(["@jax.jit", f"def f({parameters}):", *(f"    {line}" for line in lines)])
    result = fixed(program, f"f({values})").splitlines()[2:]
    return dedent("\n".join(result))
