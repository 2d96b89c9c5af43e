"""The pages of the codes that the tool itself reports: they have no check, only a text.

The runner makes these findings where it reads files and comments; nothing here listens to events.
"""

from collections.abc import Iterator

from oakum import codes
from oakum_lint.finding import Finding, Severity
from oakum_lint.interp.events import Event
from oakum_lint.rules.rule import Rule


class ToolRule(Rule):
    """Base of the rules that are a page only.

    They have no examples either: what they are about is not a program that runs.
    """

    listens = ()
    bad = ()
    good = ()

    def check(self, event: Event) -> Iterator[Finding]:
        """Yields nothing: the runner makes the findings of these codes."""
        return iter(())


class SyntaxErrorInFile(ToolRule):
    """## What it does
    Reports a place that is not valid Python.

    ## Why it matters
    What does not parse is not checked. The rest of the file still is: a syntax error silences the
    top-level statement that it stands in, not the file.

    ## Example
    ```python
    def loss(w, x:
        return jnp.mean(x @ w)
    ```

    ## Use instead
    ```python
    def loss(w, x):
        return jnp.mean(x @ w)
    ```

    ## Known limits
    The newest syntax that is understood is that of the LibCST in use, whatever Python oakum runs
    under. Python 2 is a syntax error.

    ## At run time
    Python raises `SyntaxError` when it compiles the file.
    """

    code = codes.SYNTAX_ERROR


class UnreadableFile(ToolRule):
    """## What it does
    Reports a file that was asked for and cannot be read as Python source: it is missing, not a
    regular file, not permitted, too large, or its bytes do not fit the encoding that it declares.

    ## Why it matters
    A file that is silently left out looks like a file without findings.

    ## Example
    A file in Latin-1 without an encoding comment:
    ```python
    # -*- coding: utf-8 -*-
    name = "M\\xfcller"  # the byte 0xFC is not UTF-8
    ```

    ## Use instead
    ```python
    # -*- coding: latin-1 -*-
    name = "M\\xfcller"
    ```
    Or save the file as UTF-8; or name it in `exclude` of `[tool.oakum]`.

    ## Known limits
    Pipes, devices and directories that are named like Python files are never opened.

    ## At run time
    Python raises `SyntaxError` for a wrong encoding, `OSError` for a file that it cannot open.
    """

    code = codes.UNREADABLE_FILE


class TooDeeplyNested(ToolRule):
    """## What it does
    Reports code whose expressions or blocks are nested so deeply that parsing it could exhaust the
    stack of the process.

    ## Why it matters
    The bound keeps one file from ending the whole run. What lies beyond it is not checked.

    ## Example
    ```python
    x = ((((((((((((((((((((1))))))))))))))))))))  # and so on, some hundred times
    ```

    ## Use instead
    Give intermediate results names, or build large literals from data. A generated file can be
    named in `exclude` of `[tool.oakum]`.

    ## Known limits
    The bound is on depth only: a file may be as long as it likes.

    ## At run time
    Nothing, or `RecursionError` or `MemoryError` from Python's own compiler, which has bounds too.
    """

    code = codes.TOO_DEEPLY_NESTED


class InternalError(ToolRule):
    """## What it does
    Reports that oakum itself failed while it analysed a file.

    ## Why it matters
    The fault is in oakum. The file is not fully checked; all other files are, and the run ends
    with exit status 2, so that it cannot pass for a clean one.

    ## Example
    ```text
    model.py:1:1: OAK004 oakum failed on this file: KeyError: 'body'
    ```

    ## Use instead
    Please report it together with the file, or the smallest part of it that still fails. Until it
    is mended the file can be named in `exclude` of `[tool.oakum]`.

    ## Known limits
    None.

    ## At run time
    Nothing: your program is not at fault.
    """

    code = codes.INTERNAL_ERROR


class UnusedSuppression(ToolRule):
    """## What it does
    Reports a suppression comment for a code that is not found on its line or statement.

    ## Why it matters
    The comment outlived its reason. It would go on to hide the next, real mistake on that line.

    ## Example
    ```python
    y = jnp.where(x > 0, x, 0.0)  # oakum: ignore[OAK201] the branch is gone
    ```

    ## Use instead
    ```python
    y = jnp.where(x > 0, x, 0.0)
    ```

    ## Known limits
    Of a `# noqa` comment only oakum's own codes and names are looked at; other codes, and a bare
    `# noqa`, belong to other tools. Nothing is said of codes that the configuration turns off, nor
    in a file that could not be checked as a whole.

    ## At run time
    Nothing.
    """

    code = codes.UNUSED_SUPPRESSION
    severity = Severity.WARNING


class UnknownSuppressionCode(ToolRule):
    """## What it does
    Reports a suppression comment that names a code which does not exist.

    ## Why it matters
    A mistyped code suppresses nothing, or not what was meant.

    ## Example
    ```python
    n = int(x.sum())  # oakum: ignore[OAK2004] only called outside jit
    ```

    ## Use instead
    ```python
    n = int(x.sum())  # oakum: ignore[OAK204] only called outside jit
    ```
    `oakum rules` lists the codes; their names, such as `tracer-to-scalar`, are accepted too.

    ## Known limits
    Of a `# noqa` comment only codes that begin with `OAK` are looked at.

    ## At run time
    Nothing.
    """

    code = codes.UNKNOWN_SUPPRESSION_CODE
    severity = Severity.WARNING


TOOL_RULES: tuple[type[Rule], ...] = (
    SyntaxErrorInFile,
    UnreadableFile,
    TooDeeplyNested,
    InternalError,
    UnusedSuppression,
    UnknownSuppressionCode,
)
