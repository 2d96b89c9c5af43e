"""`python -m oakum`: the command `oakum`, and the process in which `oakum run` runs a program."""

import json
import runpy
import sys
from typing import Any


def main(arguments: list[str]) -> int:
    """Runs a program with the checks on.

    The arguments are the file of the report, options as JSON, the program, and its own arguments.
    """
    from oakum import interop
    from oakum.api.checks import checked_run

    file, text, program, *rest = arguments
    options: dict[str, Any] = json.loads(text)
    if options.pop("as_jax"):
        options["block"] = interop.as_jax()
    with open(file, "a", encoding="utf-8") as stream:
        return checked_run.run(program, rest, checked_run.Report(stream), **options)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--checked-run"]:
        sys.exit(main(sys.argv[2:]))
    runpy.run_module("oakum_lint", run_name="__main__", alter_sys=True)
