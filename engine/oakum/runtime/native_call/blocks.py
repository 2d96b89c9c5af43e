"""Blocks: the memory of results, and the pool that it comes from and goes back to.

A block is an object of Python's that owns aligned memory, and exports it as a buffer that
is not written. When nobody holds it, it goes back to the pool, memory and object together, and the
next result of its size takes it.

Invariants:
- The pool is used with the interpreter's lock only.
- Blocks in the pool have no reference, but hold their class.
- Blocks are a power of two large; what the pool holds is at most `CAP` bytes.
"""

from __future__ import annotations

import os
from typing import Final

from oakum.runtime.native_call.layout import WORD
from oakum.runtime.native_call.llvm_text import Record

FIELDS: Final = ("data", "bytes", "next", "base", "class")

CLASSES: Final = 47
"""Blocks are smaller than 2 to the power of this."""

HUGE: Final = 21
"""Blocks of 2 to the power of this and more ask for huge pages."""


def names(header: int) -> dict[str, int]:
    """Returns the offsets of a block's fields, for texts."""
    found = {f"BLOCK_{name.upper()}": header + i * WORD for i, name in enumerate(FIELDS)}
    return {**found, "BLOCK_SIZE": header + len(FIELDS) * WORD, "HUGE": HUGE, "CLASSES": CLASSES}


def cap() -> int:
    """Returns the bytes that the pool holds at most: what `OAKUM_POOL_BYTES` says, or an eighth of
    the memory, two gigabytes at most.
    """
    given = os.environ.get("OAKUM_POOL_BYTES", "")
    if given.isdecimal():
        return int(given)
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        memory = 1 << 33
    return min(memory >> 3, 1 << 31)


_ADVISE: Final = """
declare i32 @madvise(ptr, i64, i32)
define internal void @advise(ptr %data, i64 %size) nounwind {
  %status = call i32 @madvise(ptr %data, i64 %size, i32 14)
  ret void
}
"""
_SILENT: Final = """
define internal void @advise(ptr %data, i64 %size) nounwind {
  ret void
}
"""


def class_of(size: int) -> int:
    """Returns the power of two that a block of a size in bytes is large."""
    return max(size - 1, 63).bit_length()


def text(has_madvise: bool) -> str:
    """Returns the functions of blocks: `oakum_block` makes one, `oakum_trim` empties the pool."""
    return (_ADVISE if has_madvise else _SILENT) + _TEXT


POOL: Final = Record("pool", "held cap")
"""What the pool says of itself at `@oakum_pool`: the bytes it holds, and those it may hold."""

_TEXT: Final = """
@oakum_pool = global [2 x i64] zeroinitializer
@free = internal global [64 x ptr] zeroinitializer

define ptr @oakum_block(i64 %bytes) nounwind {
entry:
  %some = icmp ne i64 %bytes, 0
  %one = zext i1 %some to i64
  %last = sub i64 %bytes, %one
  %filled = or i64 %last, 63
  %zeros = call i64 @llvm.ctlz.i64(i64 %filled, i1 true)
  %class = sub i64 64, %zeros
  when ult i64 %class, $CLASSES ? %look : %refuse
look:
  %block = call ptr @block_of(i64 %class, i64 %bytes)
  ret ptr %block
refuse:
  %null = call ptr @PyErr_NoMemory()
  ret ptr null
}

define internal ptr @block_of(i64 %class, i64 %bytes) nounwind {
entry:
  %type = load ptr, ptr $known_block
  %list = getelementptr ptr, ptr @free, i64 %class
  %head = load ptr, ptr %list
  when eq ptr %head, null ? %arrays : %again
again:
  %rest = get ptr %head + $BLOCK_NEXT
  store ptr %rest, ptr %list
  %size = shl i64 1, %class
  %held = get i64 @oakum_pool + $pool_held
  %less = sub i64 %held, %size
  put i64 %less into @oakum_pool + $pool_held
  put i64 %bytes into %head + $BLOCK_BYTES
  revive %head of %type
  ret ptr %head
arrays:
  %taken = call ptr @take_block(i64 %class)
  when eq ptr %taken, null ? %fresh : %found
fresh:
  %made = call ptr @fresh_block(i64 %class)
  when eq ptr %made, null ? %refuse : %found
found:
  %block = phi ptr [%taken, %arrays], [%made, %fresh]
  put i64 %bytes into %block + $BLOCK_BYTES
  ret ptr %block
refuse:
  %null = call ptr @PyErr_NoMemory()
  ret ptr null
}

define internal ptr @fresh_block(i64 %class) nounwind {
entry:
  %size = shl i64 1, %class
  %huge = icmp uge i64 %class, $HUGE
  %page = shl i64 1, $HUGE
  %alignment = select i1 %huge, i64 %page, i64 64
  %total = add i64 %size, %alignment
  %first = call ptr @PyMem_RawMalloc(i64 %total)
  when eq ptr %first, null ? %trim : %found
trim:
  call void @oakum_trim()
  %second = call ptr @PyMem_RawMalloc(i64 %total)
  when eq ptr %second, null ? %refuse : %found
found:
  %base = phi ptr [%first, %entry], [%second, %trim]
  %number = ptrtoint ptr %base to i64
  %more = sub i64 %alignment, 1
  %beyond = add i64 %number, %more
  %mask = sub i64 0, %alignment
  %aligned = and i64 %beyond, %mask
  %data = inttoptr i64 %aligned to ptr
  when %huge ? %ask : %make
ask:
  call void @advise(ptr %data, i64 %size)
  br label %make
make:
  %block = call ptr @PyObject_Malloc(i64 $BLOCK_SIZE)
  when eq ptr %block, null ? %undo : %fill
fill:
  put ptr %data into %block + $BLOCK_DATA
  put ptr %base into %block + $BLOCK_BASE
  put i64 %class into %block + $BLOCK_CLASS
  %type = load ptr, ptr $known_block
  %result = call ptr @PyObject_Init(ptr %block, ptr %type)
  ret ptr %block
undo:
  call void @PyMem_RawFree(ptr %base)
  br label %refuse
refuse:
  ret ptr null
}

define internal void @destroy(ptr %block) nounwind {
  %type = get ptr %block + $TYPE
  %base = get ptr %block + $BLOCK_BASE
  call void @PyMem_RawFree(ptr %base)
  call void @PyObject_Free(ptr %block)
  release %type
  ret void
}

define void @oakum_block_dealloc(ptr %block) nounwind {
entry:
  %class = get i64 %block + $BLOCK_CLASS
  %size = shl i64 1, %class
  %held = get i64 @oakum_pool + $pool_held
  %cap = get i64 @oakum_pool + $pool_cap
  %sum = add i64 %held, %size
  when ule i64 %sum, %cap ? %keep : %drop
keep:
  put i64 %sum into @oakum_pool + $pool_held
  %list = getelementptr ptr, ptr @free, i64 %class
  %head = load ptr, ptr %list
  put ptr %head into %block + $BLOCK_NEXT
  store ptr %block, ptr %list
  br label %end
drop:
  call void @destroy(ptr %block)
  br label %end
end:
  ret void
}

define void @oakum_trim() nounwind {
entry:
  br label %head
head:
  count %class to 64 ? %body : %end, from %entry, %next from %empty
body:
  %list = getelementptr ptr, ptr @free, i64 %class
  br label %array
array:
  %taken = call ptr @take_block(i64 %class)
  when eq ptr %taken, null ? %pop : %drop_taken
drop_taken:
  call void @destroy(ptr %taken)
  br label %array
pop:
  %block = load ptr, ptr %list
  when eq ptr %block, null ? %empty : %drop
drop:
  %rest = get ptr %block + $BLOCK_NEXT
  store ptr %rest, ptr %list
  call void @destroy(ptr %block)
  br label %pop
empty:
  %next = add i64 %class, 1
  br label %head
end:
  put i64 0 into @oakum_pool + $pool_held
  ret void
}

define i32 @oakum_block_buffer(ptr %block, ptr %view, i32 %flags) nounwind {
  %data = get ptr %block + $BLOCK_DATA
  %bytes = get i64 %block + $BLOCK_BYTES
  %s = call i32 @PyBuffer_FillInfo(ptr %view, ptr %block, ptr %data, i64 %bytes, i32 1, i32 %flags)
  ret i32 %s
}
"""
