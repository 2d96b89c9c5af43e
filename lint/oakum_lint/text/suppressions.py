"""What comments that suppress findings look like."""

import re

NOQA = re.compile(r"\#\s*noqa(?![\w-])(?P<list>\s*:\s*)?", re.IGNORECASE)
NOQA_ITEM = re.compile(r"[\s,]*(?P<item>[A-Za-z]+[0-9]+(?![\w-])|OAK\w*|[a-z]+(?:-[a-z]+)+)")
OURS = re.compile(r"\#\s*oakum\s*:\s*(?P<word>[\w-]+)\s*(?P<list>\[(?P<items>[^\]\r\n]*)\]?)?")
ITEM = re.compile(r"[^\s,]+")
