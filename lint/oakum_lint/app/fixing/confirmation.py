"""Confirms the fixes that reports hand out as edits, for programs that make them: each as `--fix`
does, by an analysis of the fixed texts.

Where the project has an index, or shards have found what there is, that analysis is one of what the
edits concern, and leaves nothing there. Of the edits that are tried next, it is one of what differs
from those that were tried last.
"""

from collections.abc import Mapping
from pathlib import Path

from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.distribution.shards import Keeper
from oakum_lint.app.fixing.fixpoint import check_with, confirm
from oakum_lint.app.index.file_states import FileStates
from oakum_lint.app.index.folder import CacheFolder, HeldFolder
from oakum_lint.app.index.index import Index
from oakum_lint.app.live.passes import PassParts
from oakum_lint.app.runner import check_files
from oakum_lint.app.settings import Settings


def confirm_fixes(
    result: CheckResult,
    settings: Settings,
    overlay: Mapping[Path, str],
    known: CacheFolder | Keeper | None = None,
) -> None:
    """Leaves the findings of a result the fixes that stand the test. What is known is the folder of
    the project's index, what shards have found, or the analyses that are alive.
    """
    if known is None or isinstance(known, PassParts):
        confirm(result, check_with(result, settings, overlay, known or PassParts()))
        return

    held = HeldFolder(known) if isinstance(known, CacheFolder) else None
    found_elsewhere = None if isinstance(known, CacheFolder) else known

    def check(texts: Mapping[str, str]) -> CheckResult:
        current = {**overlay, **{Path(file): text for file, text in texts.items()}}
        index = None if held is None else Index(held, FileStates(held))
        keeper = index or found_elsewhere
        found = check_files(result.files, settings, current, context=result.context, index=keeper)
        if index is not None:
            index.finish()
        return found

    confirm(result, check)
