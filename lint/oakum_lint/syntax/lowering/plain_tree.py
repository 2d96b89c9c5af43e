"""LibCST's trees as the lowering reads them: built by LibCST's parser, of nodes that only hold.

A node class of LibCST is a frozen data class of Python that checks each node it makes, and half of
the nodes are blanks, which the lowering reads off the text. Where the parser asks for its classes,
it is handed classes of the same names whose objects are filled without a line of Python, and
nothing at all for blanks: it takes a third less time. LibCST's own classes are not even made, which
takes 0.12 seconds of CPU, a third of a check of one small file.

Invariants:
- What `import libcst` means is another thing only while the parser runs. That is one call of native
  code that runs no code of Python, but for the first node of a class that is newer than the
  table of names: no other thread sees it.
- A parser that made nodes of other classes is noticed, and nothing is lowered.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import libcst


class Refused(Exception):
    """LibCST's parser does not take a text for Python."""

    def __init__(self, **_: object) -> None:
        super().__init__()


class PlainNode(SimpleNamespace):
    """A node that holds what the parser has handed it. What is not there, as an annotation, the
    parser leaves out: that is None.
    """

    __slots__ = ()

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            if name.startswith("__"):
                raise AttributeError(name)
            setattr(type(self), name, None)  # so that it is asked once for each class


_NAMES: Final = """
    Add AddAssign And AnnAssign Annotation Arg AsName Assert Assign AssignEqual AssignTarget
    Asynchronous Attribute AugAssign Await BaseAssignTargetExpression BaseAugOp BaseBinaryOp
    BaseBooleanOp BaseComp BaseCompOp BaseCompoundStatement BaseDelTargetExpression BaseDict
    BaseDictElement BaseElement BaseExpression BaseFormattedStringContent BaseList BaseNumber
    BaseParenthesizableWhitespace BaseSet BaseSimpleComp BaseSlice BaseSmallStatement
    BaseStatement BaseString BaseSuite BaseTemplatedStringContent BaseUnaryOp BinaryOperation
    BitAnd BitAndAssign BitInvert BitOr BitOrAssign BitXor BitXorAssign BooleanOperation Break
    CSTNode Call ClassDef Colon Comma Comment CompFor CompIf Comparison ComparisonTarget
    ConcatenatedString Continue Decorator Del Dict DictComp DictElement Divide DivideAssign
    Dot Element Ellipsis Else EmptyLine Equal ExceptHandler ExceptStarHandler Expr Finally
    Float FloorDivide FloorDivideAssign For FormattedString FormattedStringExpression
    FormattedStringText From FunctionDef GeneratorExp Global GreaterThan GreaterThanEqual If
    IfExp Imaginary Import ImportAlias ImportFrom ImportStar In IndentedBlock Index Integer Is
    IsNot Lambda LazyImport LazyImportFrom LeftCurlyBrace LeftParen LeftShift LeftShiftAssign
    LeftSquareBracket LessThan LessThanEqual List ListComp Match MatchAs MatchCase MatchClass
    MatchKeywordElement MatchList MatchMapping MatchMappingElement MatchOr MatchOrElement
    MatchPattern MatchSequence MatchSequenceElement MatchSingleton MatchStar MatchTuple
    MatchValue MatrixMultiply MatrixMultiplyAssign Minus Module Modulo ModuloAssign Multiply
    MultiplyAssign Name NameItem NamedExpr Newline Nonlocal Not NotEqual NotIn Or Param
    ParamSlash ParamSpec ParamStar Parameters ParenthesizedWhitespace Pass Plus Power
    PowerAssign Raise Return RightCurlyBrace RightParen RightShift RightShiftAssign
    RightSquareBracket Semicolon Set SetComp SimpleStatementLine SimpleStatementSuite
    SimpleString SimpleWhitespace Slice StarredDictComp StarredDictElement StarredElement
    Subscript SubscriptElement Subtract SubtractAssign TemplatedString
    TemplatedStringExpression TemplatedStringText TrailingWhitespace Try TryStar Tuple
    TypeAlias TypeParam TypeParameters TypeVar TypeVarTuple UnaryOperation While With WithItem
    Yield
""".split()
"""LibCST's classes of nodes. One that a newer LibCST has is made when its parser asks for it."""
_LEFT_OUT: Final = (
    *("SimpleWhitespace", "TrailingWhitespace", "ParenthesizedWhitespace"),
    *("EmptyLine", "Comment", "Newline", "Dot"),
)
"""What the text shows, or the node around it."""


def _plain_classes() -> ModuleType:
    """LibCST's names, with a plain class for each class of nodes."""
    module = ModuleType("libcst")
    # Each import asks for it, and takes longer where there is none.
    module.__spec__ = find_spec("libcst")

    def make(name: str) -> type[PlainNode]:
        if name.startswith("_"):
            raise AttributeError(name)
        made = type(name, (PlainNode,), {"__slots__": ()})
        setattr(module, name, made)
        return made

    for name in _NAMES:
        make(name)
    vars(module)["__getattr__"] = make
    vars(module)["NotEqual"].value = "!="  # `<>` alone is handed over
    # LibCST's own error is made by code of Python, and what it says is not asked for.
    vars(module)["ParserSyntaxError"] = Refused
    for name in _LEFT_OUT:
        # Takes what a node would hold, and makes nothing of it.
        setattr(module, name, dict[str, Any]().update)
    return module


def _native_parser() -> Callable[[str], Any]:
    """LibCST's parser, by itself: to import it by its name imports LibCST first."""
    package = find_spec("libcst")
    places = None if package is None else package.submodule_search_locations
    spec = None if places is None else PathFinder.find_spec("libcst.native", places)
    if spec is None or spec.loader is None:
        return import_module("libcst.native").parse_module
    native = module_from_spec(spec)
    spec.loader.exec_module(native)
    return native.parse_module


_parse: Final = _native_parser()
if TYPE_CHECKING:
    cst = libcst
else:
    cst = _plain_classes()  # this package is imported where something is to be parsed


def parse_module(text: str) -> "cst.Module":
    """The tree of a text, of plain nodes.

    Raises `Refused` or `UnicodeError` (half of a surrogate pair) where the text is no Python to
    LibCST, and anything where its parser does not make what this module expects.
    """
    before = sys.modules.get("libcst")
    sys.modules["libcst"] = cst
    try:
        tree = _parse(text)
    finally:
        if before is None or before is cst:
            sys.modules.pop("libcst", None)
        else:
            sys.modules["libcst"] = before
    if type(tree) is not cst.Module:
        raise TypeError("LibCST's parser makes nodes of other classes")
    return tree
