"""The order of a dictionary's items: where the first one that a step takes apart had its keys.

Other dictionaries mostly have the same, and then no key is looked for. An order is a list of pairs:
a key, and its number among the sorted ones.
"""

from __future__ import annotations

from typing import Final

TEXT: Final = """
define internal i1 @items_in_order(ptr %dict, ptr %order, i64 %count, ptr %places) nounwind {
entry:
  %position = alloca i64
  %key = alloca ptr
  %value = alloca ptr
  store i64 0, ptr %position
  br label %head
head:
  count %i to %count ? %body : %yes, from %entry, %next from %take
body:
  %status = call i32 @PyDict_Next(ptr %dict, ptr %position, ptr %key, ptr %value)
  when ne i32 %status, 0 ? %compare : %no
compare:
  %offset = shl i64 %i, 4
  %pair = getelementptr i8, ptr %order, i64 %offset
  %wanted = get ptr %pair + 0
  %found = load ptr, ptr %key
  when eq ptr %found, %wanted ? %take : %no
take:
  %place = get i64 %pair + 8
  %item = load ptr, ptr %value
  put ptr %item into %places [%place]
  %next = add i64 %i, 1
  br label %head
yes:
  ret i1 true
no:
  ret i1 false
}

define internal void @learn_order(ptr %dict, ptr %order, i64 %count, ptr %names) nounwind {
entry:
  %position = alloca i64
  %key = alloca ptr
  %value = alloca ptr
  store i64 0, ptr %position
  when ugt i64 %count, 256 ? %end : %look
look:
  %known = get ptr %order + 0
  when eq ptr %known, null ? %head : %end
head:
  count %i to %count ? %body : %end, from %look, %next from %found
body:
  %status = call i32 @PyDict_Next(ptr %dict, ptr %position, ptr %key, ptr %value)
  when ne i32 %status, 0 ? %search : %end
search:
  %name = load ptr, ptr %key
  br label %try
try:
  count %j to %count ? %compare : %end, from %search, %j_next from %other
compare:
  %each = get ptr %names [%j]
  when eq ptr %each, %name ? %found : %other
other:
  %j_next = add i64 %j, 1
  br label %try
found:
  %offset = shl i64 %i, 4
  %pair = getelementptr i8, ptr %order, i64 %offset
  put ptr %name into %pair + 0
  put i64 %j into %pair + 8
  %next = add i64 %i, 1
  br label %head
end:
  ret void
}
"""
