"""The configuration. A mistake in it is told with file and key, never passed over in silence."""

from pathlib import Path

import pytest

from oakum_lint.app import selectors
from oakum_lint.app.config import ConfigurationError, load
from oakum_lint.app.settings import Settings


def settings_from(tmp_path: Path, table: str) -> Settings:
    (tmp_path / "pyproject.toml").write_text(f"[tool.oakum]\n{table}\n")
    return load([str(tmp_path)])


def test_every_key_is_read(tmp_path: Path) -> None:
    settings = settings_from(
        tmp_path,
        """
        select = ["OAK2", "tracer-in-global"]
        ignore = ["OAK201"]
        exclude = ["old"]
        extend-exclude = ["gen/"]
        force-exclude = true
        respect-gitignore = false
        output-format = "concise"
        min-confidence = "proved"
        assume-traced = "annotated"
        entry-points = ["solvers.*"]
        max-seconds-per-root = 10
        trace-counters = ["*probe*"]
        call-counters = []
        draw-flags = ["dropping"]
        still-flags = []
        [tool.oakum.per-file-ignores]
        "tests/*" = ["OAK204"]
        "!src/**" = ["OAK205"]
        """,
    )
    assert settings.root == str(tmp_path)
    assert settings.select == ("OAK2", "tracer-in-global")
    assert settings.ignore == ("OAK201",)
    assert settings.excludes(str(tmp_path / "old" / "a.py"))
    assert settings.excludes(str(tmp_path / "gen" / "a.py"))
    assert not settings.excludes(str(tmp_path / "build" / "a.py"))
    assert settings.force_exclude
    assert not settings.respect_gitignore
    assert settings.output_format == "concise"
    assert settings.min_confidence == "proved"
    assert settings.assume_traced == "annotated"
    assert settings.entry_points == ("solvers.*",)
    assert settings.max_seconds_per_root == 10
    assert (settings.trace_counters, settings.call_counters) == (("*probe*",), ())
    assert (settings.draw_flags, settings.still_flags) == (("dropping",), ())
    assert settings.ignores_for(str(tmp_path / "tests" / "unit" / "a.py")) == ("OAK204", "OAK205")
    assert settings.ignores_for(str(tmp_path / "src" / "a.py")) == ()


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ('selct = ["OAK"]', "tool.oakum.selct: unknown key; did you mean `select`?"),
        ("zzz = 1", "tool.oakum.zzz: unknown key; the keys are select, ignore"),
        ('select = ["OAK999"]', "tool.oakum.select: unknown code `OAK999`"),
        ('ignore = ["tracer-in-brnch"]', "did you mean `tracer-in-branch` (OAK201)?"),
        ('select = "OAK"', "tool.oakum.select: expected a list of strings, found a string"),
        ("select = [1]", "expected a list of strings, found an integer in it"),
        ("exclude = {}", "tool.oakum.exclude: expected a list of strings, found a table"),
        ("force-exclude = 1", "force-exclude: expected true or false, found an integer"),
        ('output-format = "xml"', "`xml` is not one of full, concise, html, github"),
        ("output-format = 3.5", "output-format: expected a string, found a float"),
        ("min-confidence = true", "min-confidence: expected a string, found a boolean"),
        ("min-confidence = 1979-05-27", "min-confidence: expected a string, found a date or time"),
        ('per-file-ignores = ["a"]', "per-file-ignores: expected a table, found a list"),
        ('per-file-ignores = {"a" = "b"}', 'per-file-ignores."a": expected a list of strings'),
        ('per-file-ignores = {"a" = ["b"]}', 'per-file-ignores."a": unknown code `b`'),
        ("max-seconds-per-root = true", "expected a number, found a boolean"),
        ("max-seconds-per-root = nan", "`nan` is not above 0"),
        ("select = [", "it is not valid TOML"),
    ],
)
def test_a_mistake_names_file_and_key(tmp_path: Path, table: str, message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        settings_from(tmp_path, table)
    assert str(caught.value).startswith(str(tmp_path / "pyproject.toml"))
    assert message in str(caught.value)


def test_the_table_must_be_a_table_and_the_file_utf8(tmp_path: Path) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_text("[tool]\noakum = 1\n")
    with pytest.raises(ConfigurationError, match=r"tool\.oakum: expected a table"):
        load([str(tmp_path)])
    file.write_bytes(b"# oakum \xff\n")
    with pytest.raises(ConfigurationError, match="not UTF-8"):
        load([str(tmp_path)])


def test_the_nearest_table_above_all_paths_counts(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.oakum]\nignore = ["OAK201"]\n')
    inner = tmp_path / "inner"
    (inner / "m").mkdir(parents=True)
    (tmp_path / "other").mkdir()
    (inner / "pyproject.toml").write_text('[tool.oakum]\nignore = ["OAK202"]\n')
    assert load([str(inner / "m")]).ignore == ("OAK202",)
    assert load([str(inner / "m"), str(tmp_path / "other")]).ignore == ("OAK201",)
    # A pyproject.toml without the table is passed over, as other tools do.
    (inner / "pyproject.toml").write_text('[project]\nname = "inner"\n')
    assert load([str(inner / "m")]).ignore == ("OAK201",)


def test_a_file_that_does_not_speak_of_oakum_is_not_parsed(tmp_path: Path) -> None:
    """A broken pyproject.toml is the business of the tools that are configured there."""
    (tmp_path / "pyproject.toml").write_text("[broken\n")
    assert load([str(tmp_path)]).select == ("OAK",)


def test_config_option_names_the_file(tmp_path: Path) -> None:
    file = tmp_path / "other.toml"
    file.write_text('[tool.oakum]\nselect = ["OAK1"]\n')
    assert load([str(tmp_path)], str(file)).select == ("OAK1",)
    assert load([str(tmp_path)], str(file), isolated=True).select == ("OAK",)
    file.write_text("")
    with pytest.raises(ConfigurationError, match=r"no \[tool\.oakum\] table"):
        load([str(tmp_path)], str(file))
    with pytest.raises(ConfigurationError, match="No such file"):
        load([str(tmp_path)], str(tmp_path / "missing.toml"))


@pytest.mark.parametrize(
    ("select", "ignore", "on", "off"),
    [
        (["OAK"], [], {"OAK201", "OAK005"}, set[str]()),
        (["ALL"], ["OAK2"], {"OAK101"}, {"OAK201"}),
        (["OAK201"], ["OAK2"], {"OAK201"}, {"OAK202"}),
        (["OAK2"], ["tracer-in-branch"], {"OAK202"}, {"OAK201", "OAK101"}),
        (["OAK201"], ["OAK201"], set[str](), {"OAK201"}),
        (["OAK201"], [], {"OAK201", "OAK001", "OAK004"}, {"OAK005", "OAK202"}),
        (["OAK"], ["OAK001"], {"OAK002"}, {"OAK001"}),
        (["oak2"], [], {"OAK201"}, {"OAK101"}),
    ],
)
def test_the_narrower_selector_wins(
    select: list[str], ignore: list[str], on: set[str], off: set[str]
) -> None:
    enabled = selectors.enabled(select, ignore)
    assert on <= enabled
    assert not off & enabled
