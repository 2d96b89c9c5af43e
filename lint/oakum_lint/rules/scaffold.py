"""The files that a new rule begins with: its row of the catalogue, its class, its labelled program.

Everything that follows from the code and the name of a rule is written here, so that an author
begins with what the tests of the structure accept, and fills in what only he knows.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from oakum.values import codes

CATALOGUE: Final = Path("engine/oakum/values/codes.py")
REGISTER: Final = Path("lint/oakum_lint/rules/register.py")
RULES: Final = Path("lint/oakum_lint/rules")
PROGRAMS: Final = Path("tests/programs")

_IMPORT: Final = "from oakum_lint.rules.oak"
"""How the register begins to import a rule."""

_ROW = """\
{constant}: Final = Code(
    "{code}",
    "{name}",
    "TODO: what was found, as a sentence without its full stop",
    "TODO: why it is wrong.",
    "TODO: what to write instead.",
)
"""
_RULE = '''\
"""{code}: TODO what it finds, in one line."""

from collections.abc import Iterator

from oakum.values import codes
from oakum_lint.domain import events
from oakum_lint.domain.events import Event
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline, traced
from oakum_lint.text.finding import Finding


class {cls}(Rule):
    """## What it does
    TODO: Finds `float(x)` with a traced `x`.

    ## Why it matters
    TODO: what goes wrong for the user.

    ## Example
    ```python
    @jax.jit
    def step(x):
        return float(x)
    ```

    ## Use instead
    ```python
    @jax.jit
    def step(x):
        return x
    ```

    ## Known limits
    TODO: what it does not see.

    ## At run time
    TODO: the exception that JAX raises: `jax.errors.ConcretizationTypeError`.
    """

    code = codes.{constant}
    listens = (events.ScalarConversion,)  # TODO: the event that fits, or a new one
    bad = (
        """\\
import jax
import jax.numpy as jnp


@jax.jit
def step(x):
    return float(x)  #! {code}


step(jnp.ones(()))
""",
        """\\
import jax
import jax.numpy as jnp


def body(total, x):
    return total + float(x), None  #! {code}


jax.lax.scan(body, 0.0, jnp.ones(2))
""",
    )
    good = (
        """\\
import jax
import jax.numpy as jnp


@jax.jit
def step(x):
    return x


step(jnp.ones(()))
""",
        """\\
import jax.numpy as jnp


def step(x):
    return float(x)


step(jnp.ones(()))
""",
    )

    def check(self, event: Event) -> Iterator[Finding]:
        """Reports each."""
        if isinstance(event, events.ScalarConversion):
            yield self.finding(
                event,
                headline("TODO `{{}}` on traced `{{}}`", event.function, event.operand.source),
                "TODO: what to write instead.",
                traced(event, "this raises ConcretizationTypeError"),
            )
'''
_PROGRAM = '''\
# category: {name}
"""TODO: user code with the mistake, two calls deep."""

import jax
import jax.numpy as jnp


def scale(values):
    return float(values.sum())  #! {code} #~ ConcretizationTypeError


@jax.jit
def step(values):
    return values / scale(values)


step(jnp.ones(3))
'''


class ScaffoldError(Exception):
    """A rule cannot begin so: its code or its name will not do, or files are not as expected."""


def scaffold(root: Path, code: str, name: str) -> Mapping[Path, str]:
    """The text of each file, below the root of a checkout, that a new rule makes or changes."""
    if not _is_code(code):
        raise ScaffoldError(f"`{code}` is no code of a rule: OAK101 to OAK799")
    if not _is_name(name):
        raise ScaffoldError(f"`{name}` is no name of a rule: words in lower case, joined by `-`")
    taken = codes.find(code) or codes.find(name)
    if taken is not None:
        raise ScaffoldError(f"{taken.code} ({taken.name}) is there already")
    words = {
        "code": code,
        "name": name,
        "constant": name.upper().replace("-", "_"),
        "cls": name.title().replace("-", ""),
        "module": f"{code.lower()}_{name.replace('-', '_')}",
    }
    return {
        CATALOGUE: _with_row(_read(root / CATALOGUE), code, words),
        REGISTER: _with_entry(_read(root / REGISTER), code, words),
        RULES / f"{words['module']}.py": _RULE.format_map(words),
        PROGRAMS / f"{words['module']}.py": _PROGRAM.format_map(words),
    }


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        raise ScaffoldError(f"{path} cannot be read: run this in a checkout of oakum") from None


def _with_row(text: str, code: str, words: Mapping[str, str]) -> str:
    """The catalogue with a row: in the order of codes, as a definition and in the list of all."""
    # Some rows are defined in another module; the list has them all.
    later = [row for row in codes.CATALOGUE if row.code > code]
    constants = [row.name.upper().replace("-", "_") for row in later]
    defined = [each for each in constants if f"\n{each}: Final = Code(" in text]
    place = f"\n{defined[0]}: Final = Code(" if defined else "\nCATALOGUE: Final"
    text = _insert(text, place, "\n" + _ROW.format_map(words).rstrip("\n"))
    place = f"\n    {constants[0]},\n" if constants else '\n)\n"""All codes, in order."""'
    start = text.index("\nCATALOGUE: Final")
    return text[:start] + _insert(text[start:], place, f"\n    {words['constant']},")


def _is_code(code: str) -> bool:
    number = code.removeprefix("OAK")
    digits = len(number) == 3 and number.isascii() and number.isdecimal()
    return code == f"OAK{number}" and digits and "100" <= number < "800"


def _is_name(name: str) -> bool:
    words = name.split("-")
    return (
        len(words) > 1
        and name[:1].isalpha()
        and all(word.isascii() and word.isalnum() and word == word.lower() for word in words)
    )


def _with_entry(text: str, code: str, words: Mapping[str, str]) -> str:
    """The register with the class of the rule: imported, and in the list."""
    imports = [line for line in text.splitlines(keepends=True) if line.startswith(_IMPORT)]
    number = code.removeprefix("OAK")
    later = [line for line in imports if line.removeprefix(_IMPORT)[: len(number)] > number]
    line = "from oakum_lint.rules.{module} import {cls}\n".format_map(words)
    place = later[0] if later else "from oakum_lint.rules.rule import"
    entry = f"\n    {later[0].split()[-1]},\n" if later else '\n)\n"""All rules'
    return _insert(_insert(text, place, line), entry, "\n    {cls},".format_map(words))


def _insert(text: str, before: str, added: str) -> str:
    if text.count(before) != 1:
        raise ScaffoldError(f"the place of the new rule is not found: {before.strip()!r}")
    return text.replace(before, added + before)
