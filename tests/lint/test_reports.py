"""The output formats. Each is read by someone else's program, or by a person under pressure."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, ClassVar
from xml.etree import ElementTree

import jsonschema
import pytest
from small_programs import assert_reported
from stand_in import finding_at

from oakum.values import codes
from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.report import origin, render
from oakum_lint.app.report.causes import by_cause
from oakum_lint.app.report.frame import lines_of, underlined
from oakum_lint.app.settings import FORMATS
from oakum_lint.text.edits import Edit, Fix, Safety
from oakum_lint.text.finding import Confidence, Finding, Location, Related, Severity

TEXT = """\
import jax

@jax.jit
def f(x, n):
\tif x > 0:
        s = "日本語 \U0001f600"; y = int(x)
    return call(
        x[:n],
    )
"""
SCHEMA = Path(__file__).parent / "sarif-2.1.0.json"
JUNIT_SCHEMA = Path(__file__).parent / "junit-10.xsd"


def result_of(*findings: Finding, texts: dict[str, str] | None = None) -> CheckResult:
    result = CheckResult()
    result.findings = list(findings)
    result.checked = 2
    result.texts = {"src/train.py": TEXT} if texts is None else texts
    result.statistics.update(finding.code for finding in findings)
    return result


def sample() -> CheckResult:
    related = (
        Related(Location("src/train.py", 3, 2, 3, 9), "`x` is traced by jit of `f`"),
        Related(Location("src/model file.py", 12, 5, 12, 9), "called here"),
    )
    place = TEXT.index("x > 0")
    notes = ("`x` is traced by jit of `f`: this raises an error",)
    fix = Fix("Write `y`", (Edit(place, place + 1, "y"),), Safety.SAFE)
    return result_of(
        replace(finding_at("src/train.py", 5, 5, 10, related=related), fix=fix, notes=notes),
        finding_at("src/train.py", 6, 26, 32, codes.TRACER_TO_SCALAR, confidence=Confidence.LIKELY),
        finding_at("src/train.py", 7, 12, 6, codes.TRACED_SLICE_BOUND, end_line=9),
        finding_at("src/gone.py", 1, 1, 1, codes.UNREADABLE_FILE),
    )


@pytest.mark.parametrize("output_format", FORMATS)
def test_the_output_is_as_reviewed(output_format: str, golden: Callable[[str, str], None]) -> None:
    text = render(sample(), output_format)
    if output_format == "sarif":
        log = json.loads(text)
        driver = log["runs"][0]["tool"]["driver"]
        del driver["version"], driver["semanticVersion"]
        for rule in driver["rules"]:
            del rule["help"], rule["fullDescription"]  # the rules' own pages: tested there
        text = json.dumps(log, indent=2, ensure_ascii=False) + "\n"
    if output_format == "html":
        text = re.sub(r"(?s)<style>.*</style>|oakum \d[.\w]*|<h2>Codes.*(?=</body>)", "", text)
    golden(f"report.{output_format}", text)


def test_json_lines_are_the_objects_of_the_json_report() -> None:
    lines = render(sample(), "json-lines").splitlines()
    assert [json.loads(line) for line in lines] == json.loads(render(sample(), "json"))
    assert render(result_of(), "json-lines") == ""


def test_a_junit_document_counts_what_it_holds_and_survives_any_name() -> None:
    odd = finding_at("a\x01\udc80<&\"'>.py", 1, 1, 5)
    root = ElementTree.fromstring(render(result_of(odd), "junit"))
    suite = root.find("testsuite")
    assert suite is not None
    assert (root.get("failures"), suite.get("tests"), len(suite.findall("*/failure"))) == (
        *("1", "1", 1),
    )
    clean = ElementTree.fromstring(render(result_of(), "junit"))
    assert (clean.get("tests"), clean.get("failures"), len(clean.findall(".//testcase"))) == (
        *("1", "0", 1),
    )
    cut = result_of()
    cut.incomplete = 1
    assert "Not all was analysed" in render(cut, "junit")


def test_a_junit_document_fits_the_schema() -> None:
    """Jenkins refuses what does not."""
    schema = pytest.importorskip("xmlschema").XMLSchema(str(JUNIT_SCHEMA))
    for result in (sample(), result_of()):
        schema.validate(render(result, "junit"))


GITLAB_SCHEMA = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "minLength": 1},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path"],
                "properties": {"path": {"type": "string", "pattern": r"^(?!\./|/)."}},
                "oneOf": [{"required": ["lines"]}, {"required": ["positions"]}],
            },
        },
    },
}
"""By https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format: what is required,
and paths that are relative, without `./`."""


def test_gitlab_gets_what_its_documentation_requires() -> None:
    issues = json.loads(render(sample(), "gitlab"))
    jsonschema.validate(issues, GITLAB_SCHEMA)
    assert json.loads(render(result_of(), "gitlab")) == []
    for issue in issues:
        assert issue["location"]["positions"]["begin"]["line"] >= 1
    assert len({issue["fingerprint"] for issue in issues}) == len(issues) == 4


def test_colours_change_nothing_but_colours() -> None:
    for output_format in ("full", "concise"):
        plain, coloured = (render(sample(), output_format, colour) for colour in (False, True))
        assert "\x1b[" not in plain
        assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


@pytest.mark.parametrize("output_format", ["github", "sarif", "json"])
def test_machine_formats_have_no_colours_and_need_no_findings(output_format: str) -> None:
    assert "\x1b[" not in render(sample(), output_format, True)
    empty = render(result_of(), output_format)
    assert empty == "" if output_format == "github" else json.loads(empty) is not None


class TestFrame:
    """The carets must point at what is meant, or the reader looks at the wrong thing."""

    @pytest.mark.parametrize(
        ("line", "start", "end", "shown", "carets"),
        [
            ("if x > 0:", 3, 8, "if x > 0:", "   ^^^^^"),
            ("\tif x:", 4, 5, "    if x:", "       ^"),
            ("a\tb", 2, 3, "a   b", "    ^"),
            ("日本 = x", 5, 6, "日本 = x", "       ^"),
            ("日本", 1, 2, "日本", "  ^^"),
            ("e\u0301 = x", 5, 6, "e\u0301 = x", "    ^"),
            ("a\x1b[31mb", 6, 7, "a\\x1b[31mb", "         ^"),
            ("a\u202eb", 2, 3, "a\\u202eb", "       ^"),
            ("x", 5, 9, "x", " ^"),
            ("", 0, 0, "", "^"),
        ],
    )
    def test_carets_stand_under_the_range(
        self, line: str, start: int, end: int, shown: str, carets: str
    ) -> None:
        assert underlined(line, start, end) == (shown, carets)

    def test_a_long_line_is_cut_around_the_range(self) -> None:
        line = "a" * 1_000_000 + "TARGET" + "b" * 1_000_000
        shown, carets = underlined(line, 1_000_000, 1_000_006)
        assert len(shown) < 200
        assert shown[carets.index("^") : carets.rindex("^") + 1] == "TARGET"

    def test_a_long_range_is_cut_too(self) -> None:
        shown, carets = underlined("x" * 5000, 0, 5000)
        assert len(shown) < 200
        assert len(carets) <= len(shown)

    def test_lines_are_counted_as_findings_count_them(self) -> None:
        assert lines_of("a\r\nb\rc\x0cd\u2028e\nf") == ["a", "b", "c\x0cd\u2028e", "f"]


def test_names_and_messages_cannot_break_a_line_or_a_command() -> None:
    """A file name may hold a line end, a comma or an escape sequence."""
    place = Location("new\nline,a:b%.py", 1, 1, 1, 2)
    finding = Finding(
        place,
        "OAK201",
        "tracer-in-branch",
        "bad\r\n::error::\x1b[31m",
        "help",
        finding_at("a", 1, 1, 2).severity,
    )
    result = result_of(finding, texts={})
    (command,) = render(result, "github").splitlines()
    assert command.startswith("::error title=oakum (OAK201),file=new%0Aline%2Ca%3Ab%25.py,line=1,")
    assert command.count("::error::") == 1  # inside the message, where it is only text
    assert "\x1b" not in command
    for output_format in ("full", "concise"):
        text = render(result, output_format)
        assert "\x1b" not in text
        assert "new\\nline,a:b%.py:1:1" in text
    (record,) = json.loads(render(result, "json"))
    assert record["file"] == place.file


def test_concise_shows_the_headline_alone_and_the_others_the_notes_too() -> None:
    """A list is for the eye, a record for whoever wants to know why."""
    note = "`x` is traced by jit of `f`: this raises an error"
    for output_format in FORMATS:
        text = re.sub("</?code>", "`", render(sample(), output_format))
        assert (note in text) == (output_format != "concise")


def test_json_has_the_documented_keys() -> None:
    records: list[dict[str, Any]] = json.loads(render(sample(), "json"))
    for record in records:
        assert list(record) == [
            *("file", "cell", "line", "column", "end_line", "end_column", "code", "name"),
            *("message", "notes", "help", "severity", "confidence", "weak_links", "related"),
            *("cause", "fix"),
        ]
    assert records[0]["notes"] == ["`x` is traced by jit of `f`: this raises an error"]
    assert records[0]["related"][0]["message"] == "`x` is traced by jit of `f`"
    assert (records[1]["severity"], records[1]["confidence"]) == ("warning", "likely")


def test_information_has_a_level_of_its_own() -> None:
    """Services show it where it is in nobody's way."""
    likely = finding_at("a.py", 1, 1, 2, confidence=Confidence.LIKELY)
    result = result_of(replace(likely, severity=Severity.INFORMATION))
    assert render(result, "full").startswith("information[OAK201, likely]")
    assert render(result, "github").startswith("::notice ")
    assert json.loads(render(result, "gitlab"))[0]["severity"] == "info"
    assert json.loads(render(result, "json"))[0]["severity"] == "information"
    (run,) = json.loads(render(result, "sarif"))["runs"]
    assert run["results"][0]["level"] == "note"


def of_one_cause(*lines: int) -> list[Finding]:
    origin = Location("src/train.py", 4, 7, 4, 8)
    return [replace(finding_at("src/train.py", line, 5, 10), cause=origin) for line in lines]


def test_one_cause_at_many_places_is_one_entry_that_lists_the_others() -> None:
    """Nobody reads nineteen frames about one argument; a mistake that is another one is seen."""
    other = replace(
        finding_at("src/train.py", 8, 1, 2), cause=Location("src/train.py", 4, 10, 4, 11)
    )
    result = result_of(*of_one_cause(3, 5, 6, 7), other)
    concise = render(result, "concise").splitlines()
    assert [line.split(":")[1] for line in concise[:2]] == ["3", "8"]
    assert concise[0].endswith("(and 3 more places)")
    assert "Found 5 findings" in concise[2]
    full = render(result, "full")
    assert "note: the same mistake stands at 3 more places: lines 5, 6, 7" in full
    assert full.count("-->") == 2
    assert full.endswith("3 of them have a cause that is shown above: `--all-places` shows each.\n")


def test_an_object_whose_attributes_keep_tracers_of_one_trace_is_one_entry() -> None:
    """State that a method keeps in 33 attributes is one mistake; each trace has its own."""
    findings = assert_reported(
        """
        class Model:
            @functools.partial(jax.jit, static_argnums=0)
            def step(self, x, y):
                self.a = x  #! OAK103
                self.b = y + 1  #! OAK103
                self.c = jnp.sin(x)  #! OAK103
                self.d = x * y  #! OAK103
                return x

            @functools.partial(jax.jit, static_argnums=0)
            def reset(self, x):
                self.a = x  #! OAK103
                return x

        model = Model()
        model.step(jnp.ones(3), jnp.ones(3))
        model.reset(jnp.ones(3))
        """
    )
    assert [len(cause.more) for cause in by_cause(findings)] == [3, 0]


def test_a_key_that_many_calls_use_is_one_entry_and_a_headline_of_one_file_is_none() -> None:
    """Who splits the key once for all of its uses has read enough; another key is another mistake,
    and so is another array of the same name.
    """
    findings = assert_reported(
        """
        key, other = jax.random.split(jax.random.key(0))
        w = jax.random.normal(key, (8, 4))
        b = jax.random.normal(key, (4,))  #! OAK401
        if sys.argv:
            c = jax.random.normal(key, (4,))  #! OAK401
            d = jax.random.normal(key, (4,))  #! OAK401
        e = jax.random.normal(other, (4,))
        f = jax.random.normal(other, (4,))  #! OAK401

        def first(x):
            table = jnp.zeros(3)
            table[0] = x  #! OAK215

        def second(x):
            table = jnp.zeros(3)
            table[0] = x  #! OAK215

        first(1)
        second(1)
        """
    )
    shown = {cause.first.location.line: len(cause.more) for cause in by_cause(findings)}
    assert sorted(shown.values()) == [0, 0, 0, 2]


def test_who_splits_each_key_after_its_use_has_one_habit() -> None:
    """Another draw by one of these keys is another mistake."""
    findings = assert_reported(
        """
        def sample(key):
            a = jax.random.normal(key)
            key, _ = jax.random.split(key)  #! OAK401
            b = jax.random.normal(key)
            _, key = jax.random.split(key)  #! OAK401
            c = jax.random.normal(key)
            _, key = jax.random.split(key)  #! OAK401
            d = jax.random.normal(key)
            return a, b, c, d, jax.random.normal(key)  #! OAK401

        sample(jax.random.key(0))
        """
    )
    assert [len(cause.more) for cause in by_cause(findings)] == [2, 0]


def test_indices_beyond_one_array_are_one_entry() -> None:
    findings = assert_reported(
        """
        def read(x):
            y = jnp.zeros(3)
            first = x[3] + x[4] + y[5]  #! OAK506
            x = jnp.ones(3)
            return first + x[3]  #! OAK506

        read(jnp.zeros(3))
        """
    )
    assert [len(cause.more) for cause in by_cause(findings)] == [1, 0, 0]


def test_a_proved_place_stands_for_weaker_ones_of_its_cause_and_all_stand_on_demand() -> None:
    """Who changes what is proved has changed what is likely of the same value."""
    weak = (Related(Location("src/train.py", 7, 1, 7, 2), "the flag is not known"),)
    few = [replace(each, weak=weak) for each in of_one_cause(2)] + of_one_cause(3, 5)
    full = render(result_of(*few), "full")
    assert full.count("-->") == 1
    assert "train.py:3:" in full
    assert "likely]" not in full
    assert "note: the same mistake stands at 2 more places: lines 2, 5" in full
    each = result_of(*of_one_cause(3, 5, 6, 7))
    each.each_place = True
    assert "more places" not in render(each, "full") + render(each, "concise")
    assert render(each, "full").count("-->") == 4


def test_machines_get_each_place_and_the_cause_that_they_share() -> None:
    """A service that annotates lines, or hides one of them, needs each."""
    result = result_of(*of_one_cause(3, 5, 6, 7))
    records: list[dict[str, Any]] = json.loads(render(result, "json"))
    assert [record["line"] for record in records] == [3, 5, 6, 7]
    assert {record["cause"]["column"] for record in records} == {7}
    results: list[dict[str, Any]] = json.loads(render(result, "sarif"))["runs"][0]["results"]
    related = [
        [at["physicalLocation"]["region"]["startLine"] for at in each["relatedLocations"]]
        for each in results
    ]
    assert related == [[5, 6, 7], [], [], []]


def test_output_of_any_file_name_is_valid_for_any_encoding() -> None:
    """File names that are not UTF-8 arrive as lone surrogates, which cannot be encoded."""
    result = result_of(finding_at("caf\udce9.py", 1, 1, 2), texts={})
    for output_format in ("json", "sarif"):
        render(result, output_format).encode("ascii")


class TestHtml:
    """One file that is sent to others: it loads nothing, and no text of a program is markup."""

    def test_findings_stand_under_their_cause_with_the_calls_that_lead_there(self) -> None:
        text = render(sample(), "html")
        assert text.count("<section>") == 2  # what is traced by jit of `f`, and the rest
        chain = text.partition('<ol class="chain">')[2].partition("</ol>")[0]
        steps = re.findall(r'class="place">([^<]*)<', chain)
        assert steps == ["src/train.py:3:2", "src/model file.py:12:5", "src/train.py:5:5"]
        assert "<mark>x &gt; 0</mark>" in text

    def test_it_loads_and_runs_nothing(self) -> None:
        text = render(sample(), "html")
        assert re.findall(r"<(?:script|link|img|iframe)|(?:src|url)\s*[=(]", text) == []

    def test_the_text_of_a_program_is_no_markup(self) -> None:
        odd = finding_at("a<b>\x1b\udc80.py", 1, 1, 9)
        text = render(result_of(odd, texts={odd.location.file: "if '</pre><b>`': x\n"}), "html")
        text.encode()
        assert "<b>" not in text
        assert "\x1b" not in text

    def test_tags_are_closed(self) -> None:
        class Tags(HTMLParser):
            opened: ClassVar[list[str]] = []

            def handle_starttag(self, tag: str, attrs: object) -> None:
                if tag not in ("meta", "br"):
                    self.opened.append(tag)

            def handle_endtag(self, tag: str) -> None:
                assert self.opened.pop() == tag

        tags = Tags()
        tags.feed(render(sample(), "html"))
        assert tags.opened == []

    def test_a_clean_run_says_so(self) -> None:
        assert "All clean" in render(result_of(), "html")


def test_rules_link_to_the_repository_of_an_installation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports lead to the pages only where they are known to be there."""
    log = json.loads(render(sample(), "sarif"))
    assert all("helpUri" not in rule for rule in log["runs"][0]["tool"]["driver"]["rules"])
    known = origin.Origin("https://example.org/oakum.git", "12ab")
    monkeypatch.setattr(origin, "origin", lambda: known)
    log = json.loads(render(sample(), "sarif"))
    first = log["runs"][0]["tool"]["driver"]["rules"][1]
    assert first["helpUri"] == f"https://example.org/oakum/blob/12ab/rules.md#{first['id'].lower()}"
    assert "\x1b]8;;https://example.org/oakum/blob/12ab/rules.md#oak201\x1b\\OAK201" in render(
        sample(), "full", colour=True
    )
    assert "\x1b]8" not in render(sample(), "full")


class TestSarif:
    """Code scanning services refuse a log that does not fit the schema, mostly without a reason."""

    def test_it_fits_the_schema(self) -> None:
        schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
        for result in (sample(), result_of()):
            jsonschema.validate(json.loads(render(result, "sarif")), schema)

    def test_the_way_to_a_finding_is_a_code_flow(self) -> None:
        (run,) = json.loads(render(sample(), "sarif"))["runs"]
        (flow,) = run["results"][0]["codeFlows"]
        steps = [step["location"] for step in flow["threadFlows"][0]["locations"]]
        lines = [step["physicalLocation"]["region"]["startLine"] for step in steps]
        assert lines == [3, 12, 5]
        assert all(step["message"]["text"] for step in steps)
        assert "codeFlows" not in run["results"][1]

    def test_the_schema_refuses_what_is_wrong(self) -> None:
        schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
        log = json.loads(render(sample(), "sarif"))
        log["runs"][0]["results"][0]["level"] = "fatal"
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(log, schema)

    def test_columns_uris_and_rules(self) -> None:
        (run,) = json.loads(render(sample(), "sarif"))["runs"]
        assert run["columnKind"] == "unicodeCodePoints"
        rules = run["tool"]["driver"]["rules"]
        for found in run["results"]:
            assert rules[found["ruleIndex"]]["id"] == found["ruleId"]
        related = run["results"][0]["relatedLocations"][1]
        uri = related["physicalLocation"]["artifactLocation"]["uri"]
        assert uri == "src/model%20file.py"

    def test_absolute_files_become_file_uris(self, tmp_path: Path) -> None:
        file = tmp_path / "a b.py"
        (run,) = json.loads(render(result_of(finding_at(str(file), 1, 1, 2)), "sarif"))["runs"]
        location = run["results"][0]["locations"][0]["physicalLocation"]
        assert location["artifactLocation"]["uri"] == file.as_uri()

    def test_files_above_the_folder_become_file_uris(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "inner").mkdir()
        monkeypatch.chdir(tmp_path / "inner")
        (run,) = json.loads(render(result_of(finding_at("../a.py", 1, 1, 2)), "sarif"))["runs"]
        location = run["results"][0]["locations"][0]["physicalLocation"]
        assert location["artifactLocation"]["uri"] == (tmp_path / "a.py").as_uri()

    def test_fingerprints_survive_a_move_and_tell_equal_lines_apart(self) -> None:
        def marks(text: str, *lines: int) -> list[str]:
            findings = [finding_at("a.py", line, 1, 2) for line in lines]
            (run,) = json.loads(render(result_of(*findings, texts={"a.py": text}), "sarif"))["runs"]
            return [found["partialFingerprints"]["oakum/v1"] for found in run["results"]]

        first = marks("if x:\n    pass\nif x:\n", 1, 3)
        assert first == marks("\n\nif  x:\n    pass\nif x:\n", 3, 5)
        assert len(set(first)) == 2
