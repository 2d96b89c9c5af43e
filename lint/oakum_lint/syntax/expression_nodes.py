"""The expressions of the compact syntax tree, and what lambdas and functions share: see `nodes`."""

from typing import Literal

from oakum.values.records import dataclass


@dataclass(slots=True, eq=False)
class Node:
    """A place in the program: `start` and `end` are offsets relative to the unit."""

    start: int
    end: int


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
    """`left operator right`; the operator is one of `+ - * / // % ** @ & | ^ << >>`."""

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
    """`left op0 comparators[0] op1 comparators[1] ...`; operators as in Python.

    `not in` and `is not` are one operator each.
    """

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
    """A comprehension or generator expression; `value` is None but in a dict comprehension."""

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
    """Syntax that is not modelled, such as a template string; its parts are still evaluated."""

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


@dataclass(slots=True, eq=False)
class Parameter(Node):
    """One parameter; `kind` is as in `inspect`, `positional` standing for positional or keyword.

    The range is that of the name and the annotation.
    """

    name: str
    kind: Literal["positional_only", "positional", "var_positional", "keyword_only", "var_keyword"]
    default: "Expression | None"
    annotation: "Expression | None"


@dataclass(slots=True, eq=False)
class Parameters(Node):
    """All parameters in order of declaration."""

    items: tuple[Parameter, ...]

    def default_of(self, name: str) -> "Expression | None":
        """The default of a parameter; None where it has none."""
        return next((each.default for each in self.items if each.name == name), None)
