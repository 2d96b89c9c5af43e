"""Functions that become another program when they are traced again: the option `check_impurity`.

The second trace is made in a copy of the process. On systems without `fork`, and where a GPU is in
use, nothing is checked.

Invariants:
- Nothing here is called while the option is off.
- A second trace that fails, or takes too long, is no finding.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from oakum import config
from oakum.errors import Frame, ImpureTraceError
from oakum.runtime.topology import devices
from oakum.tracing.ir import ClosedJaxpr
from oakum.transforms.jit import program_diff
from oakum.transforms.jit.program_diff import Difference
from oakum.values.checks import check_outcomes, process_copy
from oakum.values.user_frames import name_of


def check(
    function: Callable[..., Any], program: ClosedJaxpr, again: Callable[[], ClosedJaxpr]
) -> None:
    """Settles an error where a second trace of a function, by `again`, is another program."""
    if not process_copy.is_possible() or devices.default_platform() != "cpu":
        return
    found = _difference(process_copy.answer_of(lambda: _second(program, again)))
    if found is None:
        return
    check_outcomes.settle(
        ImpureTraceError(
            f"`{name_of(function)}` becomes another program when it is traced again",
            detail=found.text,
            frame=found.frame,
        )
    )


def _second(program: ClosedJaxpr, again: Callable[[], ClosedJaxpr]) -> bytes:
    """Returns what is different in a second trace, as it is passed on."""
    with config.unwatched():
        found = program_diff.difference(program, again())
    if found is None:
        return b""
    place = found.frame
    return json.dumps(
        [found.text, place.file if place else "", place.line if place else 0]
    ).encode()


def _difference(answer: bytes) -> Difference | None:
    try:
        fields: Any = json.loads(answer)
    except ValueError:  # It has found nothing, or ended before.
        return None
    message, file, line = fields
    return Difference(message, Frame(file, line) if file else None)
