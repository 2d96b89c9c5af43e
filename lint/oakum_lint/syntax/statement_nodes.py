"""The statements and match patterns of the compact syntax tree: see `nodes`."""

from typing import Literal

from oakum.values.records import dataclass
from oakum_lint.syntax.expression_nodes import Expression, Keyword, Node, Parameters
from oakum_lint.syntax.reading import READINGS


@dataclass(slots=True, eq=False)
class FunctionDefinition(Node):
    """`def` or `async def`. `name_start` is where the name stands.

    `start` is that of the first decorator, or of `async` or `def`.
    """

    name: str
    name_start: int
    parameters: Parameters
    statements: tuple["Statement", ...]
    """Its body, for those who do not read it."""
    decorators: tuple["Expression", ...]
    returns: "Expression | None"
    is_async: bool
    is_generator: bool

    @property
    def body(self) -> tuple["Statement", ...]:
        """Its statements."""
        reading = READINGS.now
        if reading is not None:
            reading.bodies.add(self)
        return self.statements


@dataclass(slots=True, eq=False)
class ClassDefinition(Node):
    """`class`. `start` is that of the first decorator, or of `class`."""

    name: str
    name_start: int
    bases: tuple["Expression", ...]
    keywords: tuple[Keyword, ...]
    body: tuple["Statement", ...]
    decorators: tuple["Expression", ...]


@dataclass(slots=True, eq=False)
class ExpressionStatement(Node):
    """An expression evaluated for its effect."""

    value: Expression


@dataclass(slots=True, eq=False)
class Assignment(Node):
    """`targets[0] = targets[1] = value`."""

    targets: tuple[Expression, ...]
    value: Expression


@dataclass(slots=True, eq=False)
class AugmentedAssignment(Node):
    """`target operator= value`; the operator without its `=`."""

    target: Expression
    operator: str
    value: Expression


@dataclass(slots=True, eq=False)
class AnnotatedAssignment(Node):
    """`target: annotation = value`; `value` None for a bare annotation."""

    target: Expression
    annotation: Expression
    value: Expression | None


@dataclass(slots=True, eq=False)
class Return(Node):
    """`return value`."""

    value: Expression | None


@dataclass(slots=True, eq=False)
class If(Node):
    """`if test: body else: orelse`; an `elif` is an `If` alone in `orelse`."""

    test: Expression
    body: tuple["Statement", ...]
    orelse: tuple["Statement", ...]


@dataclass(slots=True, eq=False)
class While(Node):
    """`while test: body else: orelse`."""

    test: Expression
    body: tuple["Statement", ...]
    orelse: tuple["Statement", ...]


@dataclass(slots=True, eq=False)
class For(Node):
    """`for target in iterable: body else: orelse`."""

    target: Expression
    iterable: Expression
    body: tuple["Statement", ...]
    orelse: tuple["Statement", ...]
    is_async: bool


@dataclass(slots=True, eq=False)
class WithItem(Node):
    """One `context as target`."""

    context: Expression
    target: Expression | None


@dataclass(slots=True, eq=False)
class With(Node):
    """`with items: body`."""

    items: tuple[WithItem, ...]
    body: tuple["Statement", ...]
    is_async: bool


@dataclass(slots=True, eq=False)
class Handler(Node):
    """`except type as name: body`; `type` None for a bare except."""

    type: Expression | None
    name: str | None
    body: tuple["Statement", ...]


@dataclass(slots=True, eq=False)
class Try(Node):
    """`try: body except ...: handlers else: orelse finally: final` (also `except*`)."""

    body: tuple["Statement", ...]
    handlers: tuple[Handler, ...]
    orelse: tuple["Statement", ...]
    final: tuple["Statement", ...]


@dataclass(slots=True, eq=False)
class Raise(Node):
    """`raise value from cause`."""

    value: Expression | None
    cause: Expression | None


@dataclass(slots=True, eq=False)
class Assert(Node):
    """`assert test, message`."""

    test: Expression
    message: Expression | None


@dataclass(slots=True, eq=False)
class Delete(Node):
    """`del targets`."""

    targets: tuple[Expression, ...]


@dataclass(slots=True, eq=False)
class ScopeDeclaration(Node):
    """`global names` or `nonlocal names`."""

    kind: Literal["global", "nonlocal"]
    names: tuple[str, ...]


@dataclass(slots=True, eq=False)
class ImportName(Node):
    """One `path as bound`; without `as`, `bound` is None and the path's first part is bound."""

    path: str
    bound: str | None


@dataclass(slots=True, eq=False)
class Import(Node):
    """`import a.b as c, d`."""

    names: tuple[ImportName, ...]


@dataclass(slots=True, eq=False)
class ImportFrom(Node):
    """`from ..module import a as b`; `level` counts the dots; a star import has one name, `*`."""

    module: str
    level: int
    names: tuple[ImportName, ...]


@dataclass(slots=True, eq=False)
class Break(Node):
    """`break`."""


@dataclass(slots=True, eq=False)
class Continue(Node):
    """`continue`."""


@dataclass(slots=True, eq=False)
class Pass(Node):
    """`pass`."""


# --- match statements ------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class ValuePattern(Node):
    """A literal or dotted name compared by `==` (`is` for None, True, False)."""

    value: Expression


@dataclass(slots=True, eq=False)
class CapturePattern(Node):
    """`pattern as name`, a bare name, or the wildcard (`pattern` and `name` both None)."""

    pattern: "Pattern | None"
    name: str | None


@dataclass(slots=True, eq=False)
class SequencePattern(Node):
    """`[a, *rest, b]`; a starred element is a `StarPattern`."""

    elements: tuple["Pattern", ...]


@dataclass(slots=True, eq=False)
class StarPattern(Node):
    """`*name` in a sequence pattern."""

    name: str | None


@dataclass(slots=True, eq=False)
class MappingPattern(Node):
    """`{key: pattern, **rest}`."""

    keys: tuple[Expression, ...]
    patterns: tuple["Pattern", ...]
    rest: str | None


@dataclass(slots=True, eq=False)
class ClassPattern(Node):
    """`Class(positional, keyword=pattern)`."""

    cls: Expression
    positional: tuple["Pattern", ...]
    keyword_names: tuple[str, ...]
    keyword_patterns: tuple["Pattern", ...]


@dataclass(slots=True, eq=False)
class OrPattern(Node):
    """`a | b`."""

    alternatives: tuple["Pattern", ...]


Pattern = (
    ValuePattern
    | CapturePattern
    | SequencePattern
    | StarPattern
    | MappingPattern
    | ClassPattern
    | OrPattern
)


@dataclass(slots=True, eq=False)
class MatchCase(Node):
    """`case pattern if guard: body`."""

    pattern: Pattern
    guard: Expression | None
    body: tuple["Statement", ...]


@dataclass(slots=True, eq=False)
class Match(Node):
    """`match subject:` and its cases."""

    subject: Expression
    cases: tuple[MatchCase, ...]


Statement = (
    ExpressionStatement
    | Assignment
    | AugmentedAssignment
    | AnnotatedAssignment
    | Return
    | If
    | While
    | For
    | With
    | Try
    | Raise
    | Assert
    | Delete
    | ScopeDeclaration
    | Import
    | ImportFrom
    | Break
    | Continue
    | Pass
    | FunctionDefinition
    | ClassDefinition
    | Match
)
