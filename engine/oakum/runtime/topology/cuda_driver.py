"""The driver of NVIDIA GPUs: whether it is there, and what to do where it is not.

Nothing is run on it yet: programs for GPUs run on the emulator.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

_HELP: Final = (
    "OAKUM_PLATFORMS=emulated runs programs on an emulated GPU, OAKUM_PLATFORMS=cpu on the CPU"
)


def library_name() -> str:
    """Returns the name of the driver's library."""
    return "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"


def searched_folders() -> list[str]:
    """Returns the folders where the system looks for the library."""
    given = os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)
    common = ["/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/lib/wsl/lib"]
    listed = [each for each in given if each]
    return [*listed, *[each for each in common if Path(each).is_dir()]]


def explain_absence(load: Callable[[str], object] = ctypes.CDLL) -> str:
    """Returns why there is no GPU to run on, and what can be done."""
    name = library_name()
    try:
        load(name)
    except OSError as error:
        folders = ", ".join(searched_folders()) or "the folders of the system"
        return (
            f"{name}, the driver of NVIDIA GPUs, was not found (searched: {folders}, and what the "
            f"loader knows: {error}). Install the driver, or have LD_LIBRARY_PATH name its folder; "
            f"{_HELP}"
        )
    return (
        f"the driver of NVIDIA GPUs is there ({name}), but this version of oakum runs nothing on "
        f"it yet; {_HELP}"
    )
