"""Options on the command line: `--jax_enable_x64`, `--jax_debug_nans=no`, `--nojax_debug_nans`."""

from __future__ import annotations

import importlib
import itertools
from typing import Any

from oakum.values.option_values import UNSET, State


def parse_arguments(options: dict[str, State[Any]], arguments: list[str]) -> None:
    """Sets the options that stand among the arguments of a program, up to `--`."""
    before = list(itertools.takewhile(lambda argument: argument != "--", arguments))
    for place, argument in enumerate(before):
        name, equals, text = argument.lstrip("-").partition("=")
        if not argument.startswith("-"):
            continue
        if name.startswith("nojax_") and (state := options.get(name[2:])) is not None:
            state.set_global(False)
        elif (state := options.get(name)) is not None:
            if not equals and state.block_value is UNSET:
                text = before[place + 1] if place + 1 < len(before) else ""
            state.set_text(argument, text if text or equals else "true")


def define_absl_flags(options: dict[str, State[Any]]) -> None:
    """Declares the options as flags of absl, which sets them when its `app.run` begins."""
    app: Any = importlib.import_module("absl.app")
    flags: Any = importlib.import_module("absl.flags")
    for name, state in options.items():
        if state.block_value is UNSET:
            flags.DEFINE_string(name, None, f"the option {name}")
        else:
            flags.DEFINE_bool(name, None, f"the option {name}")

    def apply() -> None:
        for name, state in options.items():
            value = flags.FLAGS[name].value
            if isinstance(value, str):
                state.set_text(f"--{name}", value)
            elif value is not None:
                state.set_global(value)

    app.call_after_init(apply)
