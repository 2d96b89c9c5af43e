"""Drawings of how arrays are sharded: a box for each part, with the devices that hold it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final, NamedTuple, cast

from oakum.array import Array
from oakum.errors import InvalidValueError, NotEvaluatedError
from oakum.runtime.arrays import ArrayImpl
from oakum.runtime.topology.devices import Device
from oakum.runtime.topology.shardings import Sharding, SingleDeviceSharding
from oakum.typing import Placement
from oakum.values.user_frames import user_frame

_HEIGHT: Final = 10
"""The lines of an array that is not sharded."""
_CHARACTER: Final = 2.5
"""How much higher than wide a character is."""


class _Box(NamedTuple):
    """What stands in a part, and the lines and columns around it."""

    text: str
    above: int
    below: int
    left: int
    right: int


def sharding_of(array: Array, function: str) -> Sharding:
    """Returns the sharding of an array that has data."""
    if not isinstance(array, ArrayImpl):
        raise NotEvaluatedError(
            f"debug.{function} of a tracer is not evaluated by this version of oakum",
            hint="Call it with the array, outside of the traced function.",
            frame=user_frame(),
        )
    return array.sharding


def draw(
    shape: Sequence[int], sharding: Placement | None, scale: float, min_width: int, max_width: int
) -> None:
    """Prints the drawing of a sharding, or of a device."""
    found = sharding
    if not isinstance(found, Sharding):
        found = SingleDeviceSharding(cast("Device", sharding))
    sys.stdout.write(f"{_drawing(shape, found, scale, min_width, max_width)}\n")


def _drawing(
    shape: Sequence[int], sharding: Sharding, scale: float, min_width: int, max_width: int
) -> str:
    """Returns the drawing of a sharding of arrays of one or two axes, as JAX draws it without
    colours. Raises `InvalidValueError` for other shapes.
    """
    if len(shape) not in (1, 2):
        raise InvalidValueError(
            "`visualize_sharding` only works for shapes with 1 and 2 dimensions",
            hint="Draw a slice or a reshaped array.",
            frame=user_frame(),
        )
    height = int(_HEIGHT * scale)
    width = int(height * (shape[1] if len(shape) == 2 else 1) / shape[0])
    parts: dict[tuple[int, int], list[int]] = {}
    sizes: dict[tuple[int, int], tuple[int, int]] = {}
    platform = ""
    for device, index in sharding.devices_indices_map(tuple(shape)).items():
        platform = device.platform.upper()
        spans = [part.indices(size)[:2] for part, size in zip(index, shape, strict=True)]
        extents = [max(stop - start, 1) for start, stop in spans]
        places = [start // extent for (start, _), extent in zip(spans, extents, strict=True)]
        row, column = (0, *places)[-2:]
        share = extents[-1] / shape[-1]
        lines = 1 if len(shape) == 1 else int(extents[0] / shape[0] * height)
        sizes[row, column] = lines, min(max(int(share * width * _CHARACTER), min_width), max_width)
        parts.setdefault((row, column), []).append(device.id)
    boxes = {
        place: _box(f"{platform} {','.join(map(str, sorted(ids)))}", *sizes[place])
        for place, ids in parts.items()
    }
    rows, columns = (max(each) + 1 for each in zip(*boxes, strict=True))
    return _table([[boxes[row, column] for column in range(columns)] for row in range(rows)])


def _box(text: str, lines: int, width: int) -> _Box:
    left, odd = divmod(width - len(text) - 2, 2)
    above, odd_line = divmod(lines - 2, 2)
    return _Box(text, max(above, 0), max(above + odd_line, 0), max(left, 0), max(left + odd, 0))


def _table(rows: Sequence[Sequence[_Box]]) -> str:
    """Returns boxes side by side and one above another, with lines between them."""
    columns = zip(*rows, strict=True)
    widths = [max(len(box.text) + box.left + box.right for box in column) for column in columns]
    lines = ["─" * width for width in widths]
    found = [f"┌{'┬'.join(lines)}┐"]
    for number, row in enumerate(rows):
        if number:
            found.append(f"├{'┼'.join(lines)}┤")
        above = max(box.above for box in row)
        blank = f"│{'│'.join(' ' * width for width in widths)}│"
        found += [blank] * above
        cells = [_centred(box, width) for box, width in zip(row, widths, strict=True)]
        found.append(f"│{'│'.join(cells)}│")
        found += [blank] * max(box.below for box in row)
    return "\n".join([*found, f"└{'┴'.join(lines)}┘"])


def _centred(box: _Box, width: int) -> str:
    free = width - len(box.text) - box.left - box.right
    return (" " * (box.left + free // 2) + box.text).ljust(width)
