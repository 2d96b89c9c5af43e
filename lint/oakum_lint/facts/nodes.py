"""The linter's compact syntax tree: what the abstract interpreter reads of a program, and nothing else.

LibCST keeps every blank and comment; an analysis needs a third of its nodes. `lower` turns a
LibCST tree into these nodes once, and the LibCST tree is dropped.

Invariants:
- Every node carries `start` and `end`: offsets in code points, relative to the start of its unit
  (see `chunks`), so that an unchanged unit stays valid when the text above it moves.
- Blocks are tuples of statements; expressions never hold statements (but for `Lambda` and
  comprehensions, which hold expressions only).
- Nodes are not mutated after lowering. They compare by identity: two equal texts are two places.
  (They are plain slotted dataclasses rather than frozen ones: a frozen constructor costs three
  times as much, and a large project makes millions of nodes.)
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(slots=True, eq=False)
class Node:
    """A place in the program: `start` and `end` are offsets relative to the unit."""

    start: int
    end: int


# --- expressions -----------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class Constant(Node):
    """A literal: int, float, complex, str, bytes, True, False, None or Ellipsis."""

    value: object


@dataclass(slots=True, eq=False)
class Name(Node):
    """A name that is read."""

    identifier: str


@dataclass(slots=True, eq=False)
class Attribute(Node):
    """`value.attribute`; `name_start` is where the attribute's own name begins."""

    value: "Expression"
    attribute: str
    name_start: int


@dataclass(slots=True, eq=False)
class Keyword(Node):
    """One keyword argument; `name` is None for `**value`."""

    name: str | None
    value: "Expression"


@dataclass(slots=True, eq=False)
class Starred(Node):
    """`*value` in a call, a display or an assignment target."""

    value: "Expression"


@dataclass(slots=True, eq=False)
class Call(Node):
    """`function(*arguments, **keywords)`."""

    function: "Expression"
    arguments: tuple["Expression", ...]
    keywords: tuple[Keyword, ...]


@dataclass(slots=True, eq=False)
class Subscript(Node):
    """`value[index]`; several indices or a trailing comma make `index` a tuple `Display`."""

    value: "Expression"
    index: "Expression"


@dataclass(slots=True, eq=False)
class Slice(Node):
    """`lower:upper:step` inside a subscript."""

    lower: "Expression | None"
    upper: "Expression | None"
    step: "Expression | None"


@dataclass(slots=True, eq=False)
class BinaryOperation(Node):
    """`left operator right`; the operator is spelled as in Python: `+ - * / // % ** @ & | ^ << >>`."""

    operator: str
    left: "Expression"
    right: "Expression"


@dataclass(slots=True, eq=False)
class UnaryOperation(Node):
    """`operator operand`; the operator is one of `- + ~ not`."""

    operator: str
    operand: "Expression"


@dataclass(slots=True, eq=False)
class BooleanOperation(Node):
    """`a and b and c`, flattened; the operator is `and` or `or`."""

    operator: Literal["and", "or"]
    operands: tuple["Expression", ...]


@dataclass(slots=True, eq=False)
class Comparison(Node):
    """`left op0 comparators[0] op1 comparators[1] ...`; operators as in Python, `not in` and `is not` in one word each."""

    left: "Expression"
    operators: tuple[str, ...]
    comparators: tuple["Expression", ...]


@dataclass(slots=True, eq=False)
class Conditional(Node):
    """`body if test else orelse`."""

    test: "Expression"
    body: "Expression"
    orelse: "Expression"


@dataclass(slots=True, eq=False)
class Display(Node):
    """A tuple, list or set written out; an element may be `Starred`, and in an index a `Slice`."""

    kind: Literal["tuple", "list", "set"]
    elements: tuple["Expression", ...]


@dataclass(slots=True, eq=False)
class DictDisplay(Node):
    """A dict written out; a key of None stands for `**value`."""

    keys: tuple["Expression | None", ...]
    values: tuple["Expression", ...]


@dataclass(slots=True, eq=False)
class Lambda(Node):
    """`lambda parameters: body`."""

    parameters: "Parameters"
    body: "Expression"


@dataclass(slots=True, eq=False)
class ComprehensionFor(Node):
    """One `for target in iterable if test ...` of a comprehension."""

    target: "Expression"
    iterable: "Expression"
    tests: tuple["Expression", ...]
    is_async: bool


@dataclass(slots=True, eq=False)
class Comprehension(Node):
    """A comprehension or generator expression; `value` is the value of a dict comprehension, else None."""

    kind: Literal["list", "set", "dict", "generator"]
    element: "Expression"
    value: "Expression | None"
    clauses: tuple[ComprehensionFor, ...]


@dataclass(slots=True, eq=False)
class FormattedValue(Node):
    """`{value!conversion:format_spec}` of an f-string; `format_spec` None where there is none."""

    value: "Expression"
    conversion: str | None
    format_spec: "FormattedString | None"


@dataclass(slots=True, eq=False)
class FormattedString(Node):
    """An f-string (or the formatted part of a format spec): literal text and replacement fields."""

    parts: tuple["str | FormattedValue", ...]


@dataclass(slots=True, eq=False)
class Await(Node):
    """`await value`."""

    value: "Expression"


@dataclass(slots=True, eq=False)
class Yield(Node):
    """`yield value` or, with `is_from`, `yield from value`."""

    value: "Expression | None"
    is_from: bool


@dataclass(slots=True, eq=False)
class NamedExpression(Node):
    """`target := value`."""

    target: Name
    value: "Expression"


@dataclass(slots=True, eq=False)
class OpaqueExpression(Node):
    """Syntax that the interpreter does not model (for instance a template string); its parts are still evaluated."""

    parts: tuple["Expression", ...]


Expression = (
    Constant
    | Name
    | Attribute
    | Call
    | Starred
    | Subscript
    | Slice
    | BinaryOperation
    | UnaryOperation
    | BooleanOperation
    | Comparison
    | Conditional
    | Display
    | DictDisplay
    | Lambda
    | Comprehension
    | FormattedString
    | Await
    | Yield
    | NamedExpression
    | OpaqueExpression
)


# --- functions and classes -------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class Parameter(Node):
    """One parameter; `kind` as in `inspect`: positional-only, positional-or-keyword, var-positional, keyword-only, var-keyword."""

    name: str
    kind: Literal["positional_only", "positional", "var_positional", "keyword_only", "var_keyword"]
    default: "Expression | None"
    annotation: "Expression | None"


@dataclass(slots=True, eq=False)
class Parameters(Node):
    """All parameters in order of declaration."""

    items: tuple[Parameter, ...]


@dataclass(slots=True, eq=False)
class FunctionDefinition(Node):
    """`def` or `async def`. `name_start` is where the name stands. `start` is that of the first decorator, or of `def`."""

    name: str
    name_start: int
    parameters: Parameters
    body: tuple["Statement", ...]
    decorators: tuple["Expression", ...]
    returns: "Expression | None"
    is_async: bool
    is_generator: bool


@dataclass(slots=True, eq=False)
class ClassDefinition(Node):
    """`class`. `start` is that of the first decorator, or of `class`."""

    name: str
    name_start: int
    bases: tuple["Expression", ...]
    keywords: tuple[Keyword, ...]
    body: tuple["Statement", ...]
    decorators: tuple["Expression", ...]


# --- statements ------------------------------------------------------------------------------


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
    """One `path as bound`; `bound` is None where there is no `as` (then the first part of the path is bound)."""

    path: str
    bound: str | None


@dataclass(slots=True, eq=False)
class Import(Node):
    """`import a.b as c, d`."""

    names: tuple[ImportName, ...]


@dataclass(slots=True, eq=False)
class ImportFrom(Node):
    """`from ..module import a as b`; `level` counts the dots; a single name with path `*` is a star import."""

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
