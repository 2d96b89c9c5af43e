"""Printing from programs: formats are checked when they are traced, and shown when they run."""

from __future__ import annotations

import string
import sys
from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any

from oakum.control_flow.callbacks import debug_callback
from oakum.errors import InvalidFormatError, InvalidValueError
from oakum.values import host
from oakum.values.user_frames import user_frame


def check_two_calls(name: str, args: object, kwargs: object) -> None:
    """Raises TypeError for arguments in the first of two calls, which takes options only."""
    if args or kwargs:
        raise InvalidValueError(
            f"debug_{name} received unexpected arguments in the two-call form: {args} {kwargs}",
            hint="Give options in the first call, and what is to be shown in the second.",
            frame=user_frame(),
        )


class _Checked(string.Formatter):
    """Finds out whether a format fits its arguments without formatting them."""

    def format_field(self, value: object, format_spec: str) -> str:
        return ""

    def convert_field(self, value: object, conversion: object) -> Any:
        return value

    def check_unused_args(
        self, used_args: Container[int | str], args: Sequence[object], kwargs: Mapping[str, object]
    ) -> None:
        self.unused = [i for i in range(len(args)) if i not in used_args]
        self.unused_names = [name for name in kwargs if name not in used_args]
        self.used = bool(used_args)

    def check(self) -> None:
        """Raises ValueError for arguments that the last format did not use."""
        if not self.unused and not self.unused_names:
            return
        what = f"Unused positional arguments to `jax.debug.print`: {self.unused}"
        if self.unused_names:
            what = f"Unused keyword arguments to `jax.debug.print`: {self.unused_names}"
        hint = "" if self.used else '. You may be passing an f-string (i.e, `f"{x}"`)'
        raise InvalidFormatError(
            f"{what} are not in the format{hint}",
            hint="Name each argument in the format, 'x = {x}', and pass it as a keyword, x=x.",
            frame=user_frame(),
        )


def debug_print(
    template: str,
    args: Sequence[object],
    kwargs: Mapping[str, object],
    ordered: bool,
    *,
    checked: bool,
    log: Callable[[str], None] | None,
) -> None:
    """Prints a format with the values that its arguments have when the program runs."""
    if checked:
        checked_format = _Checked()
        checked_format.format(template, *args, **kwargs)
        checked_format.check()

    options = host.np.get_printoptions()

    def show(*values: object, **named: object) -> None:
        with host.np.printoptions(**options):
            text = template.format(*values, **named)
        if log is None:
            sys.stdout.write(text + "\n")
            sys.stdout.flush()
        else:
            log(text)

    debug_callback(show, args, kwargs, ordered)
