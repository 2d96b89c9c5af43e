"""Members that the text of classes seems to declare: where to look for what an attribute is."""

import re
from collections.abc import Iterator

_DECLARED = re.compile(r"^[ \t]+(?:def[ \t]+(\w+)[ \t]*\(|(\w+)[ \t]*:)", re.MULTILINE)


def declared_members(text: str) -> Iterator[str]:
    """The names that a line of a block defines as a function or annotates. Those of functions in
    functions, and words before a colon, are among them.

    >>> list(declared_members("class A:\\n    size: int\\n    def area(self): ...\\n"))
    ['size', 'area']
    """
    for found in _DECLARED.finditer(text):
        yield found[1] or found[2]
