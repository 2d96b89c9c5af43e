"""Fixes: from a finding to the edits that fix it, and from edits to files.

A rule's `fix` gets the event and the `site`, the place in the syntax tree; the modules here
are the pieces it is made of. `app.fixing` applies what the rules propose, and `app.rewriting`
writes it.

Invariants:
- A fix changes exact ranges of the text; every other character of the file stays as it is, and so
  do all comments.
- Where a fix is not certain to say what was meant there is none: no fix is better than a wrong one.
- The syntax tree is that of the analysis: nothing is parsed again to propose a fix.
"""
