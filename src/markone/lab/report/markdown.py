"""The report as Markdown, with the figures beside it."""

from __future__ import annotations

from markone.lab.report.content import Content
from markone.show.page import PageTable


def as_markdown(content: Content) -> str:
    parts = [f"# {content.title}", "## Read this first", "\n".join(f"- {line}" for line in content.caveats)]
    if content.figures:
        parts.append("## Figures")
    for shown in content.figures:
        parts += [f"![{shown.name}](figures/{shown.name}.svg)", shown.caption]
        parts += [table(shown.table)] if shown.table.rows else []
    if content.tables:
        parts.append("## Tables")
    for printed in content.tables:
        parts += [f"**{printed.name}**: {printed.caption}", table(printed.table)]
    if content.agreement.rows:
        parts += ["## Simulation against theory", table(content.agreement)]
        parts += ["\n".join(f"- {note}" for note in content.notes)] if content.notes else []
    if content.claims:
        parts += ["## Claims"]
        parts += ["\n".join(f"- **{c.answer}**: {c.text}  \n  {c.sentence}" for c in content.claims)]
    if content.provenance.rows:
        parts += ["## Provenance", table(content.provenance)]
    return "\n\n".join([*parts, "## Declaration", f"```toml\n{content.declaration}```"]) + "\n"


def table(content: PageTable) -> str:
    rows = [content.header, ["---"] * len(content.header), *content.rows]
    return "\n".join("| " + " | ".join(cell(text) for text in row) + " |" for row in rows)


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
