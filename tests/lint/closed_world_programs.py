"""Programs whose findings are proved or likely, by what is known of the code around them."""

from small_programs import findings_of, only

from oakum_lint.text.finding import Finding

_HEAD = """
        import somewhere
        from somewhere import Base, Field, Meta, Static, declared, decorated, fill, hub, run, timed

"""
_MISFIT = "jnp.zeros((4, 2)) + jnp.zeros(({n}, 2))"


def filled(program: str, use: str) -> str:
    """The program with `use` in the place of each `MISFIT[n]`, where `{n}` stands for its `n`."""
    text, *rest = program.split("MISFIT[")
    for part in rest:
        depth, end = 1, 0
        while depth:
            depth += {"[": 1, "]": -1}.get(part[end], 0)
            end += 1
        text += use.format(n=part[: end - 1]) + part[end:]
    return text


def findings_with_unknown_code(program: str, **modules: str) -> list[Finding]:
    """The findings in a program that has names of an unknown module; `MISFIT[n]` is a sum of
    arrays that fits if `n` is 4.
    """
    return findings_of(_HEAD + filled(program, _MISFIT), **modules)


def assert_likely(program: str, link: str) -> None:
    """Checks that the one finding of a program is likely, and says by which weak link."""
    finding = only(findings_with_unknown_code(program))
    assert finding.confidence == "likely"
    assert link in weak_links(finding)


def assert_proved(program: str) -> None:
    """Checks that the one finding of a program has no weak link."""
    assert only(findings_with_unknown_code(program)).weak == ()


def weak_links(finding: Finding) -> str:
    """The sentences that say what is not certain of a finding."""
    return " ".join(weak.message for weak in finding.weak)
