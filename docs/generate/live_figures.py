"""Live figures: the exported page of the laboratory in a frame, and a picture of it where scripts are off.

```{live} plane?students=['rosenblatt']&preset=tight
:alt: A line between two classes of points
Text below the figure.
```

The page is exported into the site; without a linker of WebAssembly (docs/laboratory.md) all show the picture.
"""

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


def can_export() -> bool:
    try:
        find_linker()
    except ValueError:
        return False
    return True


class LiveFigure(SphinxDirective):
    """A frame with the exported page at the given fragment, and a picture."""

    required_arguments, has_content, final_argument_whitespace = 1, True, True
    option_spec = {"alt": directives.unchanged_required, "still": directives.unchanged}  # noqa: RUF012

    def run(self) -> list[nodes.Node]:
        figure = nodes.figure(classes=["live"])
        root = "../" * self.env.docname.count("/")
        alt, still = self.options["alt"], self.options.get("still", f"{root}screens/live.webp")
        figure += nodes.image(uri=still, alt=alt)
        if can_export():
            address = f"{root}{FOLDER}/index.html?figure#/{self.arguments[0]}"
            frame = f'<iframe src="{escape(address)}" title="{escape(alt)}" loading="lazy"></iframe>'
            figure += nodes.raw("", frame, format="html")
        text, _ = self.state.inline_text(" ".join(self.content), self.lineno)
        figure += nodes.caption("", "", *text)
        return [figure]


def export_page(app: Sphinx, failure: Exception | None) -> None:
    if failure is None and app.builder.format == "html" and can_export():
        export_laboratory(Path(app.outdir) / FOLDER, [])


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("live", LiveFigure)
    app.connect("build-finished", export_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
