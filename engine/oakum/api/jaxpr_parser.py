"""Programs read from their text, the inverse of `oakum.tracing.jaxpr_printer`.

A program is read once the programs within it are, from the innermost outwards, so no depth of
nesting is too deep. Grammar, where a line break separates equations outside of brackets:

    program  = "{" "lambda" {binder ["=" elements]} ";" {binder} "." "let" {equation}
               "in" "(" {atom ","} ")" "}"
    equation = [{binder} "="] primitive ["[" {name "=" value} "]"] {atom}
    binder   = name ":" aval
    atom     = name | number ":" aval
    value    = program | number | string | aval | dtype | member of an enumeration
             | "(" {value ","} ")" | name "(" {name "=" value ","} ")"

Invariants:
- What is read is as well typed as the text: `oakum.tracing.jaxpr_verifier` says whether it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from oakum import dtypes
from oakum.api import primitive_registry
from oakum.api.jaxpr_lexer import ProgramTextError, Token, tokens
from oakum.dtypes import Kind
from oakum.runtime.arrays import ArrayImpl, wrap
from oakum.tracing import parameter_forms
from oakum.tracing.ir import Atom, ClosedJaxpr, Equation, Jaxpr, Literal, Var
from oakum.values import host
from oakum.values.avals import ShapedArray, parse_aval

_DEEPEST: Final = 50
"""As deep may tuples stand in one another."""


def parse_jaxpr(text: str) -> ClosedJaxpr | Jaxpr:
    """Reads a program as it is printed.

    A program whose constants all have values is closed; one that has constants without values, as
    `str` prints it, is not. Raises `ProgramTextError` for what is no program, or says with a
    function that it held what no text can hold.

    >>> parse_jaxpr("{ lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }")
    { lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }
    """
    open_programs: list[list[Token]] = [[]]
    for token in tokens(text):
        if token.text == "{" and token.kind == "sign":
            open_programs.append([])
        elif token.text == "}" and token.kind == "sign":
            inner = open_programs.pop()
            if not open_programs:
                raise ProgramTextError("a program ends that did not begin", token, text)
            program = _Reader(inner, token, text).program()
            open_programs[-1].append(Token("program", "{", token.start, program))
        else:
            open_programs[-1].append(token)
    end = Token("end", "", len(text))
    if len(open_programs) > 1:
        raise ProgramTextError("a program does not end", end, text)
    found = [token for token in open_programs[0] if token.kind != "line"]
    if len(found) != 1 or found[0].kind != "program":
        raise ProgramTextError("this is not one program", found[0] if found else end, text)
    return found[0].value


class _Reader:
    """Reads the tokens of one program, in which the programs within are one token each."""

    def __init__(self, found: list[Token], end: Token, text: str) -> None:
        self._tokens = [*found, Token("end", "}", end.start)]
        self._next = 0
        self._text = text
        self._variables: dict[str, Var] = {}

    def program(self) -> ClosedJaxpr | Jaxpr:
        """Returns the whole program."""
        self._word("lambda")
        constants = list(self._constants())
        self._sign(";")
        arguments = list(self._binders())
        self._sign(".")
        self._word("let")
        equations = list(self._equations())
        self._word("in")
        results = self._tuple(self._atom)
        if self._token.kind != "end":
            raise self._error("the program goes on after its results")
        jaxpr = Jaxpr([var for var, _ in constants], arguments, results, equations)
        values = [value for _, value in constants]
        return jaxpr if None in values else ClosedJaxpr(jaxpr, values)

    @property
    def _token(self) -> Token:
        while self._tokens[self._next].kind == "line":
            self._next += 1
        return self._tokens[self._next]

    def _take(self) -> Token:
        token = self._token
        self._next += 1
        return token

    def _error(self, reason: str) -> ProgramTextError:
        return ProgramTextError(reason, self._token, self._text)

    def _at(self, sign: str) -> bool:
        token = self._token
        return token.kind == "sign" and token.text == sign

    def _sign(self, sign: str) -> None:
        if not self._at(sign):
            raise self._error(f"{sign!r} is missing")
        self._next += 1

    def _word(self, word: str) -> None:
        if self._token.kind != "name" or self._token.text != word:
            raise self._error(f"the word {word!r} is missing")
        self._next += 1

    def _name(self, what: str) -> str:
        if self._token.kind != "name":
            raise self._error(f"the name of {what} is missing")
        return self._take().text

    def _binds(self) -> bool:
        """Whether a variable is bound next: a name and a colon."""
        token = self._token
        following = self._tokens[min(self._next + 1, len(self._tokens) - 1)]
        named = token.kind == "name" and token.text not in _CONSTANTS
        return named and following.kind == "sign" and following.text == ":"

    def _binder(self) -> Var:
        word = self._name("a variable")
        if word in self._variables:
            raise self._error(f"the variable {word} is bound twice")
        self._sign(":")
        var = Var(self._aval())
        if word != "_":
            self._variables[word] = var
        return var

    def _binders(self) -> Iterator[Var]:
        while self._binds():
            yield self._binder()

    def _constants(self) -> Iterator[tuple[Var, ArrayImpl | None]]:
        for var in self._binders():
            value = None
            if self._at("="):
                self._next += 1
                value = self._array(self._elements(), var.aval)
            yield var, value

    def _elements(self, depth: int = 0) -> Any:
        if not self._at("["):
            return self._scalar()
        self._check(depth)
        return self._sequence("[", "]", lambda: self._elements(depth + 1))

    def _check(self, depth: int) -> None:
        if depth > _DEEPEST:
            raise self._error(f"brackets stand in one another deeper than {_DEEPEST}")

    def _sequence(self, opening: str, closing: str, read: Callable[[], Any]) -> list[Any]:
        self._sign(opening)
        found: list[Any] = []
        while not self._at(closing):
            found.append(read())
            if not self._at(closing):
                self._sign(",")
        self._sign(closing)
        return found

    def _tuple(self, read: Callable[[], Any]) -> tuple[Any, ...]:
        return tuple(self._sequence("(", ")", read))

    def _array(self, value: object, aval: ShapedArray) -> ArrayImpl:
        assert aval.dtype is not None
        np = host.np
        kind = host.dtype(aval.dtype)
        if aval.dtype.kind is Kind.FLOAT0:
            return wrap(np.zeros(aval.shape, kind), aval)
        try:
            # Through 64 bits: the dtypes of ml_dtypes read no Python integers.
            raw = np.asarray(value) if kind.isbuiltin == 2 else np.array(value, kind)
            return wrap(raw.astype(kind).reshape(aval.shape), aval)
        except (TypeError, ValueError, OverflowError) as error:
            raise self._error(f"these elements are no {aval}: {error}") from None

    def _scalar(self) -> Any:
        token = self._token
        if token.kind == "number":
            return self._take().value
        if token.kind == "name" and token.text in _CONSTANTS:
            return _CONSTANTS[self._take().text]
        raise self._error("a number is missing")

    def _aval(self) -> ShapedArray:
        start = self._token
        weak = "~" if self._at("~") else ""
        if weak:
            self._next += 1
        name = self._name("a dtype")
        sizes = self._sequence("[", "]", self._size)
        try:
            return parse_aval(f"{weak}{name}[{','.join(sizes)}]")
        except ValueError:
            raise ProgramTextError(f"{name} is no dtype of arrays", start, self._text) from None

    def _size(self) -> str:
        if self._token.kind != "number" or not self._token.text.isdigit():
            raise self._error("the size of an axis is missing")
        return self._take().text

    def _atom(self) -> Atom:
        token = self._token
        if token.kind == "name" and token.text not in _CONSTANTS:
            if token.text not in self._variables:
                raise self._error(f"the variable {token.text} is not bound")
            return self._variables[self._take().text]
        value = self._scalar()
        self._sign(":")
        return Literal(self._array(value, self._aval()))

    def _equations(self) -> Iterator[Equation]:
        while not (self._token.kind == "name" and self._token.text == "in"):
            yield self._equation()

    def _equation(self) -> Equation:
        outputs = list(self._binders())
        if outputs:
            self._sign("=")
        name = self._token
        primitive = primitive_registry.by_name().get(self._name("a primitive"))
        if primitive is None:
            raise ProgramTextError("there is no primitive of this name", name, self._text)
        params: dict[str, Any] = dict.fromkeys(sorted(parameter_forms.parameters(primitive)))
        if self._at("["):
            params.update(self._params())
        inputs: list[Atom] = []
        while not self._ends_equation():
            inputs.append(self._atom())
        effects = frozenset[str]() if primitive.effects is None else primitive.effects(**params)
        return Equation(primitive, inputs, outputs, params, effects)

    def _ends_equation(self) -> bool:
        token = self._tokens[self._next]
        return token.kind in ("line", "end") or token.text == "in" or self._binds()

    def _params(self) -> dict[str, Any]:
        self._sign("[")
        found: dict[str, Any] = {}
        while not self._at("]"):
            name = self._name("a parameter")
            self._sign("=")
            found[name] = self._value(0)
        self._sign("]")
        return found

    def _value(self, depth: int) -> Any:
        self._check(depth)
        token = self._token
        if token.kind in ("number", "string", "program"):
            return self._take().value
        if token.kind == "opaque":
            raise self._error("a function or another object stood here, which no text can hold")
        if self._at("("):
            return self._tuple(lambda: self._value(depth + 1))
        if self._at("~") or self._names_aval():
            return self._aval()
        return self._named(depth)

    def _names_aval(self) -> bool:
        following = self._tokens[self._next + 1 : self._next + 2]
        return self._token.kind == "name" and any(each.text == "[" for each in following)

    def _named(self, depth: int) -> Any:
        """Returns the value of a name: a constant, a dtype, an enumeration member, an object."""
        start = self._token
        word = self._name("a value")
        if self._at("("):
            return self._object(start, depth)
        if word in _CONSTANTS:
            return _CONSTANTS[word]
        found = dtypes.DTYPES.get(word) or parameter_forms.find_member(word)
        if found is None:
            raise ProgramTextError("this is no value of a parameter", start, self._text)
        return found

    def _object(self, start: Token, depth: int) -> Any:
        def field() -> tuple[str, Any]:
            name = self._name("a field")
            self._sign("=")
            return name, self._value(depth + 1)

        fields = dict(self._sequence("(", ")", field))
        try:
            return parameter_forms.make(start.text, fields)
        except (KeyError, TypeError, ValueError) as error:
            reason = f"no {start.text} can be made of these fields: {error}"
            raise ProgramTextError(reason, start, self._text) from None


_CONSTANTS: Final = {"None": None, "True": True, "False": False}
