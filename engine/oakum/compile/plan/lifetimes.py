"""Lifetimes: which steps read and write each buffer."""

from __future__ import annotations

import math
from collections.abc import Sequence

from oakum.compile.loops.loop_ir import Buffer
from oakum.compile.plan.steps import PlanStep, read_by, written_by


class Lifetimes:
    """The steps that read and write each buffer."""

    def __init__(self, steps: Sequence[PlanStep]) -> None:
        self.steps = steps
        self.reads: dict[Buffer, list[int]] = {}
        self.writes: dict[Buffer, list[int]] = {}
        for number, step in enumerate(steps):
            for buffer in read_by(step):
                self.reads.setdefault(buffer, []).append(number)
            for buffer in written_by(step):
                self.writes.setdefault(buffer, []).append(number)

    def span(self, buffer: Buffer) -> tuple[float, float]:
        """Returns the first step that writes a buffer, and the last that needs it.

        Inputs have values before the first step; results are needed behind the last.
        """
        numbers = [*self.reads.get(buffer, ()), *self.writes.get(buffer, ())]
        begin = -1 if buffer.role in ("in", "constant") else min(numbers, default=math.inf)
        end = math.inf if buffer.role == "out" else max(numbers, default=-1)
        return begin, end
