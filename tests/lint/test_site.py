"""The documentation site: what it shows as a command or an option is one, and its links lead on."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

from oakum_lint.app.cli import main
from oakum_lint.rules import catalogue

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "pages"
WRITTEN = sorted(PAGES.glob("*.md"))
MADE = {"codes/index.md", "errors.md", "api/index.md", "jax-names.md"}


def made() -> set[str]:
    return MADE | {f"codes/{code.code}.md" for code in catalogue.rows()}


def options_of(command: str, capsys: pytest.CaptureFixture[str]) -> set[str]:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    return set(re.findall(r"--?[a-z][\w-]*", capsys.readouterr().out))


SHOWN = [*WRITTEN, ROOT / "README.md", ROOT / "docs" / "parity.md"]


@pytest.mark.parametrize("file", SHOWN, ids=lambda file: file.stem)
def test_each_option_of_a_shown_command_is_there(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a reader copies works."""
    text = file.read_text(encoding="utf-8").replace("\\\n", " ")
    shown = re.findall(r"\boakum (check|run|merge|clean|explain|lsp|rules|debug)\b([^`\n]*)", text)
    known = {command: options_of(command, capsys) for command in {name for name, _ in shown}}
    for command, rest in shown:
        used = set(re.findall(r"(?<![\w-])--[a-z][\w-]*", rest.partition(" program.py")[0]))
        if command == "run":  # the program's own options follow its name
            used = set(re.findall(r"(?<![\w-])--[a-z][\w-]*", re.split(r"\w+\.py", rest)[0]))
        assert used <= known[command], f"oakum {command}{rest}"


@pytest.mark.parametrize("file", WRITTEN, ids=lambda file: file.stem)
def test_links_lead_to_pages(file: Path) -> None:
    known = made() | {str(page.relative_to(PAGES)) for page in PAGES.rglob("*") if page.is_file()}
    links = re.findall(r"\]\(([^)#:]+)(?:#[\w-]+)?\)", file.read_text(encoding="utf-8"))
    assert {link for link in links if link not in known} == set()


def test_the_navigation_names_every_page() -> None:
    text = (ROOT / "docs" / "mkdocs.yml").read_text(encoding="utf-8")
    named = set(re.findall(r"[\w/-]+\.md", text.partition("\nnav:")[2]))
    assert named == MADE | {page.name for page in WRITTEN}


def test_the_table_of_names_is_that_of_the_installed_jax() -> None:
    """After a change of the API: `python docs/jax_names.py`."""
    jax = pytest.importorskip("jax")
    spec = importlib.util.spec_from_file_location("jax_names", ROOT / "docs" / "jax_names.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    kept = module.TABLE.read_text(encoding="utf-8")
    if not kept.startswith(f"JAX {jax.__version__}\n"):
        pytest.skip("the table is of another version of JAX")
    assert "\n".join(module.rows()) + "\n" == kept


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site, where MkDocs is installed (`oakum[dev]` has it); a warning is an error."""
    pytest.importorskip("material")
    folder = tmp_path_factory.mktemp("site")
    arguments = ["build", "--strict", "--quiet", "-f", "docs/mkdocs.yml", "-d", str(folder)]
    subprocess.run([sys.executable, "-m", "mkdocs", *arguments], cwd=ROOT, check=True)
    return folder


def names_of_errors() -> list[str]:
    """The errors that JAX names, and those of Python that its misuse raises."""
    section = (ROOT / "docs" / "jax_names.txt").read_text().partition("[jax.errors]\n")[2]
    ours = [line.split()[0] for line in section.partition("\n\n")[0].splitlines()]
    return [*ours, *("NameError", "TypeError", "ValueError", "IndexError", "NotImplementedError")]


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", names_of_errors())
def test_two_clicks_lead_from_an_error_to_what_to_do(site: Path, name: str) -> None:
    start = (site / "index.html").read_text(encoding="utf-8")
    assert '<a href="errors.html"' in start
    text = (site / "errors.html").read_text(encoding="utf-8")
    section = re.search(rf'<h2 id="{name.lower()}">.*?(?=<h2|</article>)', text, re.DOTALL)
    assert section is not None
    pages = re.findall(r'href="(codes/OAK\d+\.html)"', section[0])
    assert pages
    for each in pages:
        assert "<h1" in (site / each).read_text(encoding="utf-8")


@pytest.mark.exhaustive
def test_the_site_is_read_and_searched_without_a_network(site: Path) -> None:
    """The index of the search is a script, which a page on a disk may load; all else that pages
    load lies beside them.
    """
    index = (site / "search" / "search_index.js").read_text(encoding="utf-8")
    assert "TracerBoolConversionError" in index
    for file in site.rglob("*.html"):
        text = file.read_text(encoding="utf-8")
        loaded = re.findall(r'<(?:script|img|iframe)[^>]* src="?([^" >]+)', text)
        loaded += re.findall(r'<link[^>]* href="?([^" >]+)', text)
        assert [each for each in loaded if re.match(r"(https?:)?//", each)] == [], file.name
