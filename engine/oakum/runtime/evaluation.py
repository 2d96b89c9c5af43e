"""Evaluation: the trace at the bottom, which computes each operation at once on the host."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from oakum import config, host
from oakum.deferred import Namespace
from oakum.runtime import checks, guards, native_operators, placing
from oakum.runtime.arrays import ArrayImpl, as_array
from oakum.trace import Primitive, Trace, Tracer, as_operand, escaped, under

key_reuse: Any = Namespace("oakum.random.key_reuse")
executable: Any = Namespace("oakum.compile.executable")


class EvaluationTrace(Trace):
    """Evaluates operations on arrays."""

    __slots__ = ()

    name = "evaluation"
    evaluates = True

    def __init__(self, parent: Trace | None) -> None:
        super().__init__(parent)
        native_operators.install()

    def process(self, primitive: Primitive, operands: Sequence[Any], params: dict[str, Any]) -> Any:
        arrays = [x if type(x) is ArrayImpl else _array(x) for x in operands]
        if config.debug_key_reuse.value:
            return key_reuse.checked(
                primitive, arrays, params, lambda: self._evaluate(primitive, arrays, params)
            )
        return self._evaluate(primitive, arrays, params)

    def _evaluate(
        self, primitive: Primitive, arrays: Sequence[ArrayImpl], params: dict[str, Any]
    ) -> Any:
        if primitive.interpret is not None:
            with under(self):
                return primitive.interpret(*arrays, **params)
        avals = primitive.result_avals([x.aval for x in arrays], params)
        place = placing.of_results(arrays, params.get("name", primitive.name))
        np = host.np
        raws = [x.raw for x in arrays]
        with np.errstate(all="ignore"):
            if primitive.compiled and config.compile_programs.value:
                raw = executable.of(params["jaxpr"])(raws)
            else:
                raw = primitive.evaluate(np, *raws, **params)
        if checks.are_on():
            several = primitive.multiple_results
            checks.check(raw if several else [raw], avals if several else [avals], primitive.name)
        if primitive.multiple_results:
            return [placing.make(r, a, place) for r, a in zip(raw, avals, strict=True)]
        return placing.make(raw, avals, place)

    def process_custom_jvp(
        self,
        function: Callable[..., Any],
        jvp: Callable[..., Any],
        operands: Sequence[Any],
        info: Any,
    ) -> Any:
        with under(self):
            return function(*operands)

    def process_custom_vjp(
        self,
        function: Callable[..., Any],
        forward: Callable[..., Any],
        backward: Callable[..., Any],
        operands: Sequence[Any],
        info: Any,
    ) -> Any:
        with under(self):
            return function(*operands)


def _array(value: Any) -> ArrayImpl:
    value = as_operand(value)
    if isinstance(value, Tracer):
        raise escaped(value)
    if not isinstance(value, ArrayImpl):
        guards.enter(value)
    return as_array(value)
