"""The files that a new rule begins with: its analysis, its class, its labelled program, its line in
the changelog.

Everything that follows from the code and the name of a rule is written here, so that an author
begins with what the tests of the structure accept, and fills in what only he knows.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from oakum_lint.rules import catalogue

ANALYSES: Final = Path("lint/oakum_lint/analyses")
RULES: Final = Path("lint/oakum_lint/rules")
PROGRAMS: Final = Path("tests/programs")
CHANGELOG: Final = Path("CHANGELOG.md")

_UNRELEASED: Final = "## Unreleased\n\n"
"""Behind it is the list of what is new; behind a release there is none yet."""

_ANALYSIS = '''\
"""TODO: Calls of `item` of traced arrays."""

from oakum.values.records import dataclass
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import Method
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.values import Array, is_tracer
from oakum_lint.syntax import nodes


@dataclass(frozen=True, slots=True)
class {cls}(Event):
    """TODO: `method` of a traced array is called."""

    method: str


def _check_call(
    machine: Machine, method: Method, _: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """Reports TODO."""
    array = method.receiver
    if method.name == "item" and isinstance(array, Array) and is_tracer(array):
        machine.emit({cls}, frame, node, array, method=method.name)


GUEST = Guest("{analysis}", Moments(method_call=(_check_call,)))
'''
_RULE = '''\
"""{code}: TODO what it finds, in one line."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oakum.values.code_row import Code
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline, traced
from oakum_lint.text.finding import Finding

if TYPE_CHECKING:
    from oakum_lint.analyses import {analysis}


class {cls}(Rule["{analysis}.{cls}"]):
    """## What it does
    TODO: Finds `x.item()` with a traced `x`.

    ## Why it matters
    TODO: what goes wrong for the user.

    ## Example
    ```python
    @jax.jit
    def step(x):
        return x.item()
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

    code = Code(
        "{code}",
        "{name}",
        "TODO: what was found, as a sentence without its full stop",
        "TODO: why it is wrong.",
        "TODO: what to write instead.",
    )
    confidence = "TODO: proved where ..., likely where ..."
    bad = (
        """\\
import jax
import jax.numpy as jnp


@jax.jit
def step(x):
    return x.item()  #! {code}


step(jnp.ones(()))
""",
        """\\
import jax
import jax.numpy as jnp


def body(total, x):
    return total + x.item(), None  #! {code}


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
    return x.item()


step(jnp.ones(()))
""",
    )

    def check(self, event: "{analysis}.{cls}") -> Iterator[Finding]:
        """Reports each."""
        yield self.finding(
            event,
            headline("TODO `{{}}` on traced `{{}}`", event.method, event.operand.source),
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
    return values.sum().item()  #! {code} #~ ConcretizationTypeError


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
    taken = catalogue.code_of(code) or catalogue.code_of(name)
    if taken is not None:
        raise ScaffoldError(f"{taken} ({catalogue.names()[taken]}) is there already")
    words = {
        "code": code,
        "name": name,
        "analysis": name.replace("-", "_"),
        "cls": name.title().replace("-", ""),
        "module": f"{code.lower()}_{name.replace('-', '_')}",
    }
    return {
        ANALYSES / f"{words['analysis']}.py": _ANALYSIS.format_map(words),
        RULES / f"{words['module']}.py": _RULE.format_map(words),
        PROGRAMS / f"{words['module']}.py": _PROGRAM.format_map(words),
        CHANGELOG: _with_line(_read(root / CHANGELOG), code),
    }


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        raise ScaffoldError(f"{path} cannot be read: run this in a checkout of oakum") from None


def _with_line(text: str, code: str) -> str:
    """The changelog with a line for the rule."""
    before, heading, behind = text.partition(_UNRELEASED)
    if not heading:
        raise ScaffoldError(f"{CHANGELOG} has no part for what is not yet released")
    line = f"- [{code}] Report TODO.\n"
    return before + heading + line + ("" if behind.startswith("- ") else "\n") + behind


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
