"""The site: every name has a page, links resolve, pictures have text alternatives, cited works are listed."""

import importlib
import importlib.util
import os
import pydoc
import re
import shlex
import sys
from pathlib import Path

import pytest

import markone
from markone import theory
from markone.base import registry

ROOT = Path(__file__).parent.parent
DOCS, EXAMPLES = ROOT / "docs", ROOT / "examples"
FOLDERS = (DOCS, DOCS / "tours", DOCS / "course", *sorted(DOCS.glob("course/chapter*/")), DOCS / "reference")
PAGES = [ROOT / "README.md", *(page for folder in FOLDERS for page in sorted(folder.glob("*.md")))]
NAME = r"\b(?:Mc)?[A-Z][a-zéèü]+"
OTHERS = rf"(?:,? (?:and )?{NAME}|,? et al\.)*"
# CPUs, months and other words followed by a year.
NO_AUTHORS = {"Haswell", "Zen", "Array", "In", "Of", "Since", "Mar", "May", "Reports"}


def name_of(page):
    return str(page.relative_to(ROOT))


@pytest.fixture(scope="module")
def generated():
    """The generated pages, without the pictures, which are slow."""
    sys.path.insert(0, str(DOCS))
    try:
        generate = importlib.import_module("generate")
        written = [
            *(
                one.pages()
                for one in (
                    generate.api,
                    generate.commands,
                    generate.declarations,
                    generate.equations,
                    generate.scenarios,
                )
            ),
            generate.curves.pages(draw=False),
            generate.experiments.pages(draw=lambda name: ([], "Not drawn.")),
        ]
        return {name: text for pages in written for name, text in pages.items()}
    finally:
        sys.path.remove(str(DOCS))


def test_every_experiment_curve_and_scenario_has_a_page(generated):
    from markone.lab import catalogue, scenarios

    for name in catalogue.experiment_names():
        assert f"experiments/{name}.md" in generated
        assert f"({name}.md)" in generated["experiments/index.md"]
    for curve in theory.list():
        assert f"curves/{curve.name}.md" in generated
    for name in scenarios.scenario_names():
        assert f"scenarios/{name}.md" in generated


def test_the_page_of_an_experiment_has_its_time_and_claims(generated):
    from markone.lab import catalogue
    from markone.lab.load import load_declaration

    for entry in catalogue.list_experiments():
        page = generated[f"experiments/{entry.name}.md"]
        claims = [claim.text for claim in load_declaration(entry.name).claims]
        facts = [
            f"about {entry.time} on one core" if entry.time else "not measured",
            f"Chapter {entry.chapter}:",
            f"../scenarios/{entry.scenario}.md",
        ]
        assert [text for text in [*claims, *facts] if text not in page] == []


def test_every_command_has_a_section(generated):
    from typer.main import get_command

    from markone.cli.commands import app

    for name in get_command(app).commands:
        assert f"## {name}\n" in generated["commands.md"]


def test_commands_on_the_pages_exist_with_their_options():
    """Every line or phrase that begins with markone, since it may be copied into a shell."""
    from typer.main import get_command

    from markone.cli.commands import app

    known = get_command(app).commands
    found = [(page, line) for page in [*PAGES, ROOT / "CONTRIBUTING.md"] for line in commands_on(page)]
    assert len(found) > 70
    for page, words in found:
        place = f"{name_of(page)}: markone {' '.join(words)}"
        assert words[0] in known, place
        command = known[words[0]]
        try:
            command.make_parser(command.context_class(command)).parse_args(words[1:])
        except Exception as error:
            raise AssertionError(f"{place}: {error}") from error


def commands_on(page):
    """Yield the arguments of `markone`, up to a comment, pipe or redirection."""
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"^```(?:text|console)?\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    lines += re.findall(r"`((?:\.venv/bin/)?markone [^`\n]+)`", text)
    for line in lines:
        called = re.match(r"(?:\.venv/bin/)?markone ([a-z].*)", line.strip())
        if called:
            yield shlex.split(re.split(r" [>|&]", called[1])[0], comments=True)


def test_every_exception_is_explained():
    from markone import errors

    page = (DOCS / "reference" / "errors.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| (\d+) \|", page, re.MULTILINE))
    ours = {
        name: one
        for name, one in vars(errors).items()
        if isinstance(one, type) and issubclass(one, errors.MarkoneError) and one is not errors.MarkoneError
    }
    assert {name: str(one.exit_code) for name, one in ours.items()} == rows


def test_how_do_i_answers_forty_questions():
    rows = re.findall(
        r"^\| (.+\?) \| (.+) \|$", (DOCS / "how_do_i.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(rows) >= 40
    assert len({question for question, _ in rows}) == len(rows)


PARTS = ["The idea", "The equation", "The figure", "The call", "The experiment", "Exercises"]


@pytest.mark.parametrize("chapter", range(1, 7))
def test_a_chapter_has_all_its_parts_and_answers_that_run(chapter):
    page = (DOCS / "course" / f"chapter{chapter}.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.+)$", page, re.MULTILINE)
    assert [one for one in headings if one in PARTS] == PARTS
    assert "reference/generated/figures/figure-" in page
    assert "$$" in page
    questions = re.findall(r"^\*\*\d\.\*\*", page, re.MULTILINE)
    answers = re.findall(r"^:::\{dropdown\} Answer\n.*?^:::", page, re.DOTALL | re.MULTILINE)
    assert len(questions) == len(answers) >= 2
    assert all("```python" in answer for answer in answers)


SECTIONS = sorted(DOCS.glob("course/chapter*/section-*.md"))


@pytest.mark.parametrize("page", SECTIONS, ids=lambda page: page.stem)
def test_a_section_has_code_and_an_exercise_with_a_checked_answer(page):
    text = page.read_text(encoding="utf-8")
    number = page.stem.removeprefix("section-").replace("-", ".")
    assert text.startswith(f"# {number}")
    assert f"{page.parent.name}/{page.stem}\n" in (DOCS / "course" / f"{page.parent.name}.md").read_text()
    before, exercise = text.split("## Exercise\n")
    assert "```python\n" in before
    (answer,) = re.findall(r"^:::\{dropdown\} Answer\n.*?^:::$", exercise, re.DOTALL | re.MULTILINE)
    assert re.search(r"^ *(assert |np\.testing)", answer, re.MULTILINE)
    assert len(text.splitlines()) <= 90


def test_the_figures_of_the_notes_are_in_the_sections():
    from markone import figures

    text = "\n".join(page.read_text(encoding="utf-8") for page in SECTIONS)
    numbers = [one.number for one in figures.list_figures() if one.number[0].isdigit()]
    assert [one for one in numbers if f"figures/figure-{one.replace('.', '-')}.png" not in text] == []


def test_lessons_named_in_the_sections_exist_and_all_are_named():
    from markone.web.lesson_files import load_lessons

    text = "\n".join(page.read_text(encoding="utf-8") for page in SECTIONS)
    named = {name: " ".join(title.split()) for title, name in re.findall(r'"([^"]+)"\s+\(`(\w+)`\)', text)}
    titles = {name: lesson.title for name, lesson in load_lessons().items()}
    assert {name: titles[name] for name in named} == named
    assert set(titles) - set(named) <= {"online"}, "name each lesson on the page of its section"


def test_experiments_named_in_the_sections_exist():
    from markone.lab import catalogue

    text = "\n".join(page.read_text(encoding="utf-8") for page in SECTIONS)
    assert set(re.findall(r"markone run (\w+)", text)) <= set(catalogue.experiment_names())


def test_every_public_name_has_a_page(generated):
    """Classes, functions and displays of all packages."""
    for package in registry.LAZY:
        module = importlib.import_module(f"markone.{package}")
        page = generated[f"api/{package}.rst"]
        assert [name for name in module.__all__ if not re.search(rf"\b{name}\b", page)] == []
    assert {name for name in markone.__all__ if name != "__version__"} <= {
        word for name, text in generated.items() if name.startswith("api/") for word in text.split()
    }


def test_every_key_of_a_declaration_is_explained(generated):
    page = generated["declarations.md"]
    rows = re.findall(r"^\| `(\w+)` \|.*\| (.*?) ?\|$", page, re.MULTILINE)
    assert [key for key, meaning in rows if not meaning] == []
    assert {"name", "grid", "expect", "below_line", "published"} <= {key for key, _ in rows}


def test_equations_have_code_and_tests(generated):
    rows = re.findall(r"^\| \((\d\.\d+)\) \| (.*) \| (.*) \| .*\|$", generated["equations.md"], re.MULTILINE)
    table = {number: (code, tests) for number, code, tests in rows}
    assert len(table) >= 169
    assert "markone.perceptron.students.rosenblatt" in table["3.15"][0]
    assert "tests/perceptron/students/test_minover.py" in table["3.42"][1]
    assert sum(bool(code) for code, _ in table.values()) >= 125
    assert sum(bool(code) and not tests for code, tests in table.values()) <= 10
    for path in {path for _, tests in table.values() for path in re.findall(r"`(tests/[\w/]+\.py)`", tests)}:
        assert (ROOT / path).exists()
    for name in {name for code, _ in table.values() for name in re.findall(r"`(markone[\w.]*)`", code)}:
        assert pydoc.locate(name) is not None, name
    assert (
        "](../../course/chapter3/section-3-3-3.md)"
        in re.search(r"^\| \(3\.15\) .*$", generated["equations.md"], re.MULTILINE)[0]
    )


def test_links_between_pages_resolve(generated):
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert leads(page.parent / target, generated), f"{name_of(page)} links to {target}"


def test_links_of_generated_pages_resolve(generated):
    for name, text in generated.items():
        page = DOCS / "reference" / "generated" / name
        for target in re.findall(r"\]\(([^)#:\s]+\.md)(?:#[^)]*)?\)", text):
            assert leads(page.parent / target, generated), f"{name} links to {target}"


def test_anchors_in_links_are_headings(generated):
    for page in PAGES:
        for target, anchor in re.findall(r"\]\(([^)#:\s]*)#([^)\s]+)\)", page.read_text(encoding="utf-8")):
            path = Path(os.path.normpath(page.parent / target)) if target else page
            folder = DOCS / "reference" / "generated"
            inside = path.is_relative_to(folder)
            text = generated[str(path.relative_to(folder))] if inside else path.read_text(encoding="utf-8")
            assert anchor in anchors(text), f"{name_of(page)} links to {target}#{anchor}"


def anchors(text):
    """Return the anchors of all headings, as named by the site."""
    headings = re.findall(
        r"^#+ (.+)$", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE), re.MULTILINE
    )
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_picture_has_a_text_alternative(generated):
    texts = {name_of(page): page.read_text(encoding="utf-8") for page in PAGES} | generated
    for name, text in texts.items():
        assert not re.search(r"!\[\]\(", text), f"{name} has a picture without text alternative"
        for block in re.findall(r"```\{(?:image|figure)\}.*?```", text, re.DOTALL):
            assert re.search(r"^:alt: \S", block, re.MULTILINE), f"{name}: {block}"
        assert text.count(":img-top:") == text.count(":img-alt:")


def test_every_work_cited_by_year_is_in_the_references():
    from pybtex.database import parse_file

    entries = parse_file(str(DOCS / "references.bib")).entries
    assert all(
        {"doi", "url"} & set(one.fields) or one.fields.get("note") in ("not checked", "found without a DOI")
        for key, one in entries.items()
        if key != "biehl2019notes"
    )
    known = {(plain(one.persons["author"][0].last_names[0]), one.fields["year"]) for one in entries.values()}
    sources = [*(Path(markone.__file__).parent).rglob("*.py"), *PAGES]
    for path in sources:
        text = re.sub(r"\s+(?:# )?\s*", " ", path.read_text(encoding="utf-8"))  # a citation may be broken
        for cited, year in re.findall(rf"({NAME}{OTHERS}) \(?((?:18|19|20)\d\d)\b", text):
            first = plain(re.match(NAME, cited)[0])
            if first not in NO_AUTHORS:
                assert (first, year) in known, f"{path.name} cites {cited} {year}"


def plain(name):
    """Remove accents: Ruján is written without in the code."""
    return name.translate(str.maketrans("áéèü", "aeeu"))


def test_the_check_of_the_built_site_finds_what_is_wrong(tmp_path):
    """`make docs` ends with it."""
    spec = importlib.util.spec_from_file_location("check_site", DOCS / "check_site.py")
    check = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(check)
    (tmp_path / "one.html").write_text(
        '<h1 id="here"></h1><a href="two.html#there"></a><a href="#here"></a><img src="data:," alt="A dot">'
        '<a href="https://example.org"></a>'
    )
    (tmp_path / "two.html").write_text('<p id="there"><a href="one.html#here"></a></p>')
    assert check.find_site_problems(tmp_path) == []
    (tmp_path / "two.html").write_text(
        '<a href="three.html"></a><a href="one.html#not"></a><img src="https://example.org/x.png">'
    )
    assert check.find_site_problems(tmp_path) == [
        "one.html: broken link: two.html#there",
        "two.html: broken link: one.html#not",
        "two.html: broken link: three.html",
        "two.html: loads https://example.org/x.png",
        "two.html: picture without text alternative: https://example.org/x.png",
    ]


def leads(path, generated):
    """True if a link leads to a file of the repository or to a generated page."""
    path = Path(os.path.normpath(path))
    if path.is_relative_to(DOCS / "gallery"):
        return (EXAMPLES / path.relative_to(DOCS / "gallery")).with_suffix(".py").exists()
    if path.is_relative_to(DOCS / "reference" / "generated"):
        name = str(path.relative_to(DOCS / "reference" / "generated"))
        return name in generated or name.startswith("figures/")
    return path.exists()
