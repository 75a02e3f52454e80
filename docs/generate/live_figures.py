"""Live figures: the exported page of the laboratory in a frame, and a picture of it where scripts are off.

```{live} plane?students=['rosenblatt']&preset=tight
:alt: A line between two classes of points
Text below the figure.
```

A page for each screen is exported into the site; without a linker of WebAssembly (docs/laboratory.md) all
show the picture, `screens/live-SCREEN.webp`.
"""

import re
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from markone.web.offline.export import export_laboratory
from markone.web.offline.wasm import find_linker

FOLDER = "_static/laboratory"
HEIGHT = 480


def can_export() -> bool:
    try:
        find_linker()
    except ValueError:
        return False
    return True


class LiveFigure(SphinxDirective):
    """A frame with the exported page at the given fragment, and a picture; its height is in pixels."""

    required_arguments, has_content, final_argument_whitespace = 1, True, True
    option_spec = {  # noqa: RUF012
        "alt": directives.unchanged_required,
        "still": directives.unchanged,
        "height": directives.positive_int,
    }

    def run(self) -> list[nodes.Node]:
        figure = nodes.figure(classes=["live"])
        root = "../" * self.env.docname.count("/")
        screen = self.arguments[0].partition("?")[0]
        alt, still = self.options["alt"], self.options.get("still", f"{root}screens/live-{screen}.webp")
        figure += nodes.image(uri=still, alt=alt)
        if can_export():
            address = f"{root}{FOLDER}/{screen}/index.html?figure#/{self.arguments[0]}"
            size = f'height="{self.options.get("height", HEIGHT)}"'
            frame = f'<iframe src="{escape(address)}" title="{escape(alt)}" {size} loading="lazy"></iframe>'
            figure += nodes.raw("", frame, format="html")
        text, _ = self.state.inline_text(" ".join(self.content), self.lineno)
        figure += nodes.caption("", "", *text)
        return [figure]


def export_page(app: Sphinx, failure: Exception | None) -> None:
    if failure is None and app.builder.format == "html" and can_export():
        pages = "".join(path.read_text(encoding="utf-8") for path in Path(app.srcdir).rglob("*.md"))
        for screen in set(re.findall(r"^```\{live\} (\w+)", pages, re.MULTILINE)):
            export_laboratory(Path(app.outdir) / FOLDER / screen, [screen])


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("live", LiveFigure)
    app.connect("build-finished", export_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
