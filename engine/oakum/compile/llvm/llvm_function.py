"""Functions of LLVM's text: blocks, loops, memory.

A loop is a `with` statement whose carried values are read and set, so no text has to be patched:

    with function.loop(0, count, 1, [start]) as loop:
        loop.next = [function.add(loop.values[0], 1.0)]
    total = loop.results[0]
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager

from oakum import dtypes
from oakum.compile.llvm.instructions import Arithmetic
from oakum.compile.llvm.llvm_value import Value, constant, scalar_type, suffix, vector_type
from oakum.compile.native.target import Target
from oakum.dtypes import DType
from oakum.values.records import dataclass, field

Index = Value | int
"""An offset or a count: known now, or a value of 64 bits."""


@dataclass(slots=True)
class Loop:
    """A loop under construction."""

    index: Value
    values: list[Value]
    """The carried values at the start of the body."""
    next: list[Value] = field(default_factory=list[Value])
    """The carried values at the end of the body."""

    @property
    def results(self) -> list[Value]:
        """The carried values behind the loop."""
        return self.values


@dataclass(frozen=True, slots=True)
class Called:
    """An elementary function in a module of its own, for vectors of one dtype."""

    name: str
    dtype: DType
    operands: int

    @property
    def symbol(self) -> str:
        """Its name in modules."""
        return f"oakum.call.{self.name}.{self.dtype.name}"


class Function(Arithmetic):
    """Writes one function. `parameters` are pairs of LLVM types (with attributes) and names; it
    returns nothing, or the results of `ret`.
    """

    def __init__(
        self,
        name: str,
        parameters: Sequence[tuple[str, str]],
        target: Target,
        *,
        internal: bool = False,
        attributes: str = "nounwind",
    ) -> None:
        super().__init__()
        self.name = name
        self.parameters = tuple(parameters)
        self.target = target
        self.result = "void"
        self.internal = internal
        self.attributes = attributes
        self.calls = False
        """Whether elementary functions are called, rather than written in line."""
        self.called: dict[Called, None] = {}
        self.block = "entry"
        self._labels = 0

    @property
    def text(self) -> str:
        """The whole definition."""
        given = ", ".join(f"{kind} %{name}" for kind, name in self.parameters)
        head = "define internal" if self.internal else "define"
        wide = f'"prefer-vector-width"="{8 * self.target.vector_bytes}"'
        last = [] if self._ended() else ["  ret void"]
        return "\n".join(
            [
                f"{head} {self.result} @{self.name}({given}) {self.attributes} {wide} {{",
                "entry:",
                *self.lines,
                *last,
                "}",
                "",
            ]
        )

    def _ended(self) -> bool:
        return bool(self.lines) and self.lines[-1].startswith(("  ret ", "  unreachable"))

    def label(self) -> str:
        """Returns a new label of a block."""
        self._labels += 1
        return f"b{self._labels}"

    def enter(self, label: str) -> None:
        """Begins a block."""
        self.lines.append(f"{label}:")
        self.block = label

    def jump(self, label: str) -> None:
        """Ends the block with a jump."""
        self.write(f"br label %{label}")

    def branch(self, condition: Value, then: str, otherwise: str) -> None:
        """Ends the block with a conditional jump."""
        self.write(f"br {condition.typed}, label %{then}, label %{otherwise}")

    @contextmanager
    def loop(
        self, start: Index, stop: Index, step: Index = 1, carried: Sequence[Value] = ()
    ) -> Generator[Loop]:
        """Counts from `start` up to, not including, `stop`."""
        head, body, after = self.label(), self.label(), self.label()
        before = self.block
        self.jump(head)
        self.enter(head)
        place = len(self.lines)
        index = Value(self.fresh("i"), dtypes.int64)
        values = [Value(self.fresh("v"), x.dtype, x.width) for x in carried]
        self.lines += [""] * (1 + len(values))
        self.branch(self.compare("lt", index, self.index(stop)), body, after)
        self.enter(body)
        loop = Loop(index, values)
        yield loop
        assert len(loop.next) == len(values)
        following = self.assign(
            f"add nuw nsw i64 {index.text}, {self.index(step).text}", dtypes.int64, 1
        )
        end = self.block
        self.jump(head)
        first = self.index(start).text
        self.lines[place] = (
            f"  {index.text} = phi i64 [{first}, %{before}], [{following.text}, %{end}]"
        )
        for number, (value, given, turned) in enumerate(
            zip(values, carried, loop.next, strict=True)
        ):
            self.lines[place + 1 + number] = (
                f"  {value.text} = phi {value.type} [{given.text}, %{before}], "
                f"[{turned.text}, %{end}]"
            )
        self.enter(after)

    @contextmanager
    def when(self, condition: Value) -> Generator[None]:
        """Writes what follows within as a block that runs if the condition holds."""
        then, after = self.label(), self.label()
        self.branch(condition, then, after)
        self.enter(then)
        yield
        self.jump(after)
        self.enter(after)

    def choose(
        self,
        condition: Value,
        then: Callable[[], list[Value]],
        otherwise: Callable[[], list[Value]],
    ) -> list[Value]:
        """Returns the values of one of two bodies, of which only one runs."""
        labels = self.label(), self.label(), self.label()
        self.branch(condition, labels[0], labels[1])
        found: list[tuple[list[Value], str]] = []
        for label, way in zip(labels, (then, otherwise), strict=False):
            self.enter(label)
            values = way()
            found.append((values, self.block))
            self.jump(labels[2])
        self.enter(labels[2])
        (first, one), (second, two) = found
        return [
            self.assign(f"phi {x.type} [{x.text}, %{one}], [{y.text}, %{two}]", x.dtype, x.width)
            for x, y in zip(first, second, strict=True)
        ]

    def rarely(
        self, condition: Value, usual: Sequence[Value], otherwise: Callable[[], Sequence[Value]]
    ) -> list[Value]:
        """Returns the usual values, replaced in lanes where a condition holds; the replacement runs
        only if there is such a lane.
        """

        def corrected() -> list[Value]:
            return [self.select(condition, x, y) for x, y in zip(otherwise(), usual, strict=True)]

        return self.choose(self.reduce("or", condition), corrected, lambda: list(usual))

    def outlined(
        self, name: str, body: Callable[..., Sequence[Value]], *operands: Value, rare: bool = False
    ) -> list[Value]:
        """Returns the results of `body(function, *operands)`, written as an internal function of
        the module.
        """
        symbol = ".".join(["oakum", name, *(suffix(x.dtype, x.width) for x in operands)])
        parameters = [(x.type, f"a{number}") for number, x in enumerate(operands)]
        inner = Function(symbol, parameters, self.target, internal=True)
        inner.attributes = f"noinline{' cold' if rare else ''} nounwind willreturn"
        given = [Value(f"%a{n}", x.dtype, x.width) for n, x in enumerate(operands)]
        with inner.exactly():
            results = list(body(inner, *given))
        inner.ret(results)
        if symbol not in self.requirements:
            self.require(inner)
        arguments = ", ".join(x.typed for x in operands)
        text = f"call {inner.result} @{symbol}({arguments}){' cold' if rare else ''}"
        if len(results) == 1:
            return [self.assign(text, results[0].dtype, results[0].width)]
        whole = self.fresh()
        self.lines.append(f"  {whole} = {text}")
        return [
            self.assign(f"extractvalue {inner.result} {whole}, {n}", x.dtype, x.width)
            for n, x in enumerate(results)
        ]

    def require(self, called: Function) -> None:
        """Adds a function, with all that it needs, to the module."""
        self.requirements.update(called.requirements)
        self.requirements[called.name] = called.text
        self.declarations.update(called.declarations)

    def ret(self, results: Sequence[Value]) -> None:
        """Ends the function and returns its results."""
        if len(results) == 1:
            self.result = results[0].type
            self.write(f"ret {results[0].typed}")
            return
        self.result = f"{{ {', '.join(x.type for x in results)} }}"
        whole = "poison"
        for number, x in enumerate(results):
            name = self.fresh()
            self.lines.append(f"  {name} = insertvalue {self.result} {whole}, {x.typed}, {number}")
            whole = name
        self.write(f"ret {self.result} {whole}")

    def index(self, number: Index) -> Value:
        """Returns a number as a 64-bit value."""
        return constant(number, dtypes.int64) if isinstance(number, int) else number

    def add_index(self, x: Index, y: Index) -> Index:
        """Adds offsets; constants are folded."""
        if isinstance(x, int) and isinstance(y, int):
            return x + y
        if x == 0:
            return y
        if y == 0:
            return x
        return self.add(self.index(x), self.index(y))

    def mul_index(self, x: Index, y: Index) -> Index:
        """Multiplies offsets; constants are folded."""
        if isinstance(x, int) and isinstance(y, int):
            return x * y
        if x == 0 or y == 0:
            return 0
        if x == 1:
            return y
        if y == 1:
            return x
        return self.mul(self.index(x), self.index(y))

    def pointer(self, base: str, offset: Index, dtype: DType) -> str:
        """Returns the address of an element."""
        if offset == 0:
            return base
        name = self.fresh("p")
        element = memory_type(dtype)
        number = self.index(offset).text
        self.lines.append(f"  {name} = getelementptr inbounds {element}, ptr {base}, i64 {number}")
        return name

    def load_pointer(self, base: str, number: int) -> str:
        """Loads an address from an array of addresses."""
        name = self.fresh("p")
        if number:
            place = self.fresh("p")
            self.lines.append(f"  {place} = getelementptr inbounds ptr, ptr {base}, i64 {number}")
        else:
            place = base
        self.lines.append(f"  {name} = load ptr, ptr {place}, align 8")
        return name

    def load(
        self,
        base: str,
        offset: Index,
        dtype: DType,
        width: int = 1,
        mask: Value | None = None,
        align: int | None = None,
    ) -> Value:
        """Loads elements; masked lanes are zero and are not read."""
        at = self.pointer(base, offset, dtype)
        kind = dtypes.uint8 if dtype is dtypes.bool_ else dtype
        align = align or dtype.itemsize
        to = vector_type(kind, width)
        if mask is None:
            value = self.assign(f"load {to}, ptr {at}, align {align}", kind, width)
        else:
            symbol = f"llvm.masked.load.{suffix(kind, width)}.p0"
            self.declarations[f"declare {to} @{symbol}(ptr, <{width} x i1>, {to})"] = None
            text = (
                f"call {to} @{symbol}(ptr align {align} {at}, {mask.typed}, {to} zeroinitializer)"
            )
            value = self.assign(text, kind, width)
        return self.compare("ne", value, 0) if dtype is dtypes.bool_ else value

    def store(
        self,
        value: Value,
        base: str,
        offset: Index,
        mask: Value | None = None,
        align: int | None = None,
    ) -> None:
        """Stores elements; masked lanes are not written."""
        at = self.pointer(base, offset, value.dtype)
        align = align or value.dtype.itemsize
        if value.dtype is dtypes.bool_:
            value = self.cast("zext", value, dtypes.uint8)
        if mask is None:
            self.write(f"store {value.typed}, ptr {at}, align {align}")
            return
        symbol = f"llvm.masked.store.{suffix(value.dtype, value.width)}.p0"
        self.declarations[f"declare void @{symbol}({value.type}, ptr, {mask.type})"] = None
        self.write(f"call void @{symbol}({value.typed}, ptr align {align} {at}, {mask.typed})")

    def prefetch(self, base: str, offset: Index, dtype: DType, *, written: bool = False) -> None:
        """Prefetches an element's cache line for a load or a store."""
        self.declarations["declare void @llvm.prefetch.p0(ptr, i32, i32, i32)"] = None
        at = self.pointer(base, offset, dtype)
        self.write(f"call void @llvm.prefetch.p0(ptr {at}, i32 {int(written)}, i32 3, i32 1)")

    def gather(self, base: str, offsets: Value, dtype: DType, mask: Value | None = None) -> Value:
        """Loads elements at several offsets."""
        width = offsets.width
        kind = dtypes.uint8 if dtype is dtypes.bool_ else dtype
        if width == 1:
            return self.load(base, offsets, dtype)
        name = self.fresh("p")
        element = memory_type(dtype)
        self.lines.append(f"  {name} = getelementptr {element}, ptr {base}, {offsets.typed}")
        to = vector_type(kind, width)
        symbol = f"llvm.masked.gather.{suffix(kind, width)}.v{width}p0"
        self.declarations[f"declare {to} @{symbol}(<{width} x ptr>, i32, <{width} x i1>, {to})"] = (
            None
        )
        lanes = f"<{width} x i1> splat (i1 true)" if mask is None else mask.typed
        text = (
            f"call {to} @{symbol}(<{width} x ptr> {name}, i32 {dtype.itemsize}, {lanes}, "
            f"{to} zeroinitializer)"
        )
        value = self.assign(text, kind, width)
        return self.compare("ne", value, 0) if dtype is dtypes.bool_ else value

    def first_lanes(self, count: Index, width: int) -> Value:
        """Returns the mask of the first lanes."""
        if isinstance(count, int):
            lanes = ", ".join(f"i1 {'true' if n < count else 'false'}" for n in range(width))
            return Value(f"<{lanes}>", dtypes.bool_, width)
        to = vector_type(dtypes.bool_, width)
        symbol = f"llvm.get.active.lane.mask.v{width}i1.i64"
        self.declarations[f"declare {to} @{symbol}(i64, i64)"] = None
        return self.assign(f"call {to} @{symbol}(i64 0, {count.typed})", dtypes.bool_, width)

    def reduce(self, name: str, x: Value) -> Value:
        """Reduces the lanes by add, mul, and, or, xor, min or max; floats in any order."""
        if x.width == 1:
            return x
        scalar = scalar_type(x.dtype)
        word, start = name, ""
        if x.dtype in _ORDERED:
            word = {"min": "fminimum", "max": "fmaximum"}.get(name, f"f{name}")
            if name in ("add", "mul"):
                start = f"{scalar} {constant(-0.0 if name == 'add' else 1.0, x.dtype).text}, "
        elif name in ("min", "max"):
            word = ("s" if x.dtype.kind is dtypes.Kind.INT else "u") + name
        symbol = f"llvm.vector.reduce.{word}.{suffix(x.dtype, x.width)}"
        first = f"{scalar}, " if start else ""
        self.declarations[f"declare {scalar} @{symbol}({first}{x.type})"] = None
        free = "reassoc " if start else ""
        return self.assign(f"call {free}{scalar} @{symbol}({start}{x.typed})", x.dtype, 1)


_ORDERED = (dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64)


def memory_type(dtype: DType) -> str:
    """Returns the LLVM type of one element in memory, where booleans take a byte."""
    return "i8" if dtype is dtypes.bool_ else scalar_type(dtype)


def module(target: Target, functions: Sequence[Function], globals: Sequence[str] = ()) -> str:
    """Returns the text of a module: functions, and declarations of what they call."""
    declared: dict[str, None] = {}
    required: dict[str, str] = {}
    for function in functions:
        declared.update(function.declarations)
        required.update(function.requirements)
    texts = [function.text for function in functions]
    return "\n".join([target.header, *globals, *required.values(), *texts, *sorted(declared), ""])
