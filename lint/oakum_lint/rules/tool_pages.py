"""The pages of the codes that the tool itself reports: they have no check, only a text.

The runner makes these findings where it reads files and comments; nothing here listens to events.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Never

from oakum.values import codes
from oakum_lint.rules.rule import AnyRule, Heard, Rule
from oakum_lint.text.finding import Finding, Severity

if TYPE_CHECKING:
    from oakum_lint.domain import cuts


class ToolRule(Rule[Heard]):
    """Base of the rules that are a page only.

    They have no examples either: what they are about is not a program that runs.
    """

    confidence = "proved"
    bad = ()
    good = ()

    def check(self, event: Heard) -> Iterator[Finding]:
        """Yields nothing: the runner makes the findings of these codes."""
        return iter(())


class SyntaxErrorInFile(ToolRule[Never]):
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


class UnreadableFile(ToolRule[Never]):
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


class IncompleteAnalysis(ToolRule["cuts.AnalysisCut"]):
    """## What it does
    Reports code that was not analysed, or not all of it, because a limit was reached: expressions
    or blocks are nested too deeply to be parsed, calls stand in one another too deeply to be
    followed, or the analysis of one function took too many steps or too long.

    ## Why it matters
    A limit keeps one file from ending the run, or from holding it up. What lies beyond it is not
    checked: without this finding it would look like code without mistakes. The run says "Not all
    was analysed", and its exit status is 2.

    ## Example
    ```python
    x = ((((((((((((((((((((1))))))))))))))))))))  # and so on, some hundred times
    ```

    ## Use instead
    Give intermediate results names, build large literals from data, split a long function. Where
    the time was too short, `max-seconds-per-root` of `[tool.oakum]` or `--max-seconds-per-root`
    gives more. A form feed in an indentation, which LibCST's parser does not know, can be
    removed. A generated file can be named in `exclude`, and `ignore = ["OAK003"]` accepts what
    is not analysed.

    ## Known limits
    One analysis begins at each function that is traced, at each that nothing calls, and at each
    statement of a module. It follows calls 1,000 deep and takes 150,000 steps, whatever the machine
    is; after these, a clock ends it. Values are limited too, without a word, because all code that
    meets them is analysed still: of a container with more than 64 elements, of a loop with more
    than 8 iterations, a comprehension with more than 16 and of calls in recursion, only what all
    have in common is known.

    Other limits are silent too, and hide mistakes: of a value that is one of more than 4,
    functions among them, nothing is known, and a call of it is not followed. The same holds for
    what lies more than 8 deep in a pytree, more than 4 deep in what several `yield`s give, or
    behind the first 64 parts of a value in which a tracer is looked for. A context manager that
    stands 17 times in itself is not entered again. Of a function with arguments that nobody is
    seen to call, the calls outside all tracing are followed, but not those in them that get no
    array: what these call is analysed for itself, with nothing known of its arguments. The clock is
    asked while code is interpreted, and not while a file is parsed or fixes are made.

    ## At run time
    Nothing, or `RecursionError` or `MemoryError` from Python's own compiler, which has bounds too.
    """

    code = codes.INCOMPLETE_ANALYSIS

    def check(self, event: "cuts.AnalysisCut") -> Iterator[Finding]:
        """Reports each cut."""
        message = f"not all was analysed: {event.reason}"
        yield self.finding(event, message, codes.INCOMPLETE_ANALYSIS.hint)


class InternalError(ToolRule[Never]):
    """## What it does
    Reports that oakum itself failed on a function, a statement or a file.

    ## Why it matters
    The fault is in oakum. The function that the finding names is not checked; all else is, and the
    run ends with exit status 2, so that it cannot pass for a clean one.

    ## Example
    ```text
    model.py:7:5: OAK004 oakum failed on `step`: KeyError at arguments.py:59 (oakum 0.2.0)
    ```

    ## Use instead
    Please report this line, which says all but what the code was, with the smallest part of the
    file that still fails. Until it is fixed the file can be named in `exclude` of `[tool.oakum]`.

    ## Known limits
    None.

    ## At run time
    Nothing: your program is not at fault.
    """

    code = codes.INTERNAL_ERROR


class UnusedSuppression(ToolRule[Never]):
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


class UnknownSuppressionCode(ToolRule[Never]):
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


TOOL_RULES: tuple[type[AnyRule], ...] = (
    SyntaxErrorInFile,
    UnreadableFile,
    IncompleteAnalysis,
    InternalError,
    UnusedSuppression,
    UnknownSuppressionCode,
)
