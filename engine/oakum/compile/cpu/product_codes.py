"""The code of the products of one program, written once for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oakum.compile.native import threads
from oakum.compile.native.target import Target
from oakum.compile.problems.convolution import Convolution
from oakum.compile.problems.epilogue import Epilogue
from oakum.compile.problems.problem import Product
from oakum.values.lazy_modules import Namespace

if TYPE_CHECKING:
    from oakum.compile.cpu import contraction
    from oakum.compile.cpu.contraction import Code, epilogue_code, sharing
else:
    contraction = Namespace("oakum.compile.cpu.contraction")
    epilogue_code = Namespace("oakum.compile.cpu.contraction.epilogue_code")
    sharing = Namespace("oakum.compile.cpu.contraction.sharing")


class ProductCodes:
    """Writes code when it is first asked for: its scratch memory is known before memory is laid
    out, and the code itself goes into the module after that.
    """

    def __init__(self, target: Target) -> None:
        self._target = target
        self._known: dict[tuple[Product, Epilogue | None], tuple[str, Code, int]] = {}

    def of(self, problem: Product, epilogue: Epilogue | None = None) -> tuple[str, Code, int]:
        """Returns the name and the code of a product, and how many threads share it."""
        found = self._known.get((problem, epilogue))
        if found is None:
            name = f"c{len(self._known)}"
            is_convolution = isinstance(problem, Convolution)
            write: Any = contraction.emit_convolution if is_convolution else contraction.emit
            given: dict[str, Any] = {"threads": min(threads.count(), sharing.worth_of(problem))}
            if epilogue is not None:
                given["epilogue"] = epilogue_code.writer_of(epilogue)
                given["fetch"] = epilogue_code.fetch_of(epilogue)
                given["extras"] = epilogue_code.names_of(epilogue)
            code = write(problem, self._target, name, **given)
            found = self._known[problem, epilogue] = (name, code, sharing.shares_of(problem, code))
        return found
