"""The code of the products of one program, written once for each."""

from __future__ import annotations

from typing import Any

from oakum.compile.cpu.contraction import Code, emit, emit_convolution
from oakum.compile.cpu.contraction.epilogue_code import fetch_of, names_of, writer_of
from oakum.compile.cpu.contraction.sharing import shares_of, worth_of
from oakum.compile.native import threads
from oakum.compile.native.target import Target
from oakum.compile.problems.convolution import Convolution
from oakum.compile.problems.epilogue import Epilogue
from oakum.compile.problems.problem import Product


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
            write: Any = emit_convolution if isinstance(problem, Convolution) else emit
            given: dict[str, Any] = {"threads": min(threads.count(), worth_of(problem))}
            if epilogue is not None:
                given["epilogue"], given["fetch"] = writer_of(epilogue), fetch_of(epilogue)
                given["extras"] = names_of(epilogue)
            code = write(problem, self._target, name, **given)
            found = self._known[problem, epilogue] = (name, code, shares_of(problem, code))
        return found
