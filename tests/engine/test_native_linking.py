"""Native code is linked wherever the memory of the process has room."""

import subprocess
import sys

import pytest

FRAGMENTED = """
import ctypes, re
from pathlib import Path
from oakum.compile.native import jit_link as native, target

PRIVATE, PAGE = 0x4022, 4096  # anonymous memory that is not reserved, and not to be touched
system = ctypes.CDLL(None, use_errno=True)
system.mmap.restype = ctypes.c_void_p
system.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
system.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]

steps = "".join(
    f"  %x{i + 1} = fmul float %x{i}, 0x3FF19999A0000000\\n" for i in range(2000)
)
text = f"define float @f(float %x0) {{\\n{steps}  ret float %x2000\\n}}\\n"
header = target.host().header
first = native.link(header + text.replace("@f", "@first"), ["first"])
made = native.emit_object(header + text)

def reserve(size, at=None):
    return system.mmap(at, size, 0, PRIVATE, -1, 0)

lines = re.findall(r"^(\\w+)-(\\w+) ", Path("/proc/self/maps").read_text(), re.M)
places = [(int(begin, 16), int(end, 16)) for begin, end in lines]
for (_, end), (begin, _) in zip(places, places[1:]):
    if 0 < begin - end < 1 << 40 < end:
        reserve(begin - end, end)
pages = reserve(64 * PAGE)
reserve(8 << 30, pages - (8 << 30))
for number in range(1, 64, 2):  # room for constants, and none for code
    system.munmap(pages + number * PAGE, PAGE)
library = native.link_object(made, ["f"])
call = ctypes.CFUNCTYPE(ctypes.c_float, ctypes.c_float)(library["f"])
print(call(0.0), call(float("inf")))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the memory is laid out by Linux' own calls")
def test_code_is_linked_where_the_free_memory_is_in_pieces() -> None:
    """A process that holds gigabytes is aborted in the middle of a call of a compiled function."""
    done = subprocess.run(
        [sys.executable, "-c", FRAGMENTED], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["0.0", "inf"]
