"""What comments that suppress findings look like."""

import re

NOQA = re.compile(r"\#\s*noqa(?![\w-])(?P<list>\s*:\s*)?", re.IGNORECASE)
NOQA_ITEM = re.compile(r"[\s,]*(?P<item>[A-Za-z]+[0-9]+(?![\w-])|OAK\w*|[a-z]+(?:-[a-z]+)+)")
NAMED = re.compile(r"noqa\s*:[^\r\n]*[a-z]-[a-z]")
"""A comment of any tool that lists names, in a text in lower case."""
OURS = re.compile(r"\#\s*oakum\s*:\s*(?P<word>[\w-]+)\s*(?P<list>\[(?P<items>[^\]\r\n]*)\]?)?")
ITEM = re.compile(r"[^\s,]+")
NEXT_COMMENT = re.compile(r"(?<=\s)\#\s")
"""Where a comment for another tool begins behind one, and no `#12` of a reason."""
