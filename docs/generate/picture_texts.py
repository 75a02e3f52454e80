"""Text alternatives of gallery pictures: the title of the script instead of its file name."""

from html import escape

from docutils import nodes
from sphinx.application import Sphinx
from sphinx_gallery.directives import imgsgnode


def describe_pictures(app: Sphinx, doctree: nodes.document) -> None:
    if not app.env.docname.startswith("gallery/"):
        return
    for picture in doctree.findall(nodes.image):  # in the index the name of the script follows
        below = picture.next_node(nodes.paragraph, descend=False, siblings=True)
        if not picture.get("alt") and below is not None:
            picture["alt"] = below.astext()
    title = next(doctree.findall(nodes.title), None)
    if title is None:
        return
    below = [one for one in title.parent.children if isinstance(one, nodes.paragraph)]
    words = " ".join([title.astext(), *(one.astext() for one in below[:1])])
    for picture in doctree.findall(imgsgnode):
        picture["alt"] = escape(" ".join(words.split()))  # inserted between quotes unchanged


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-read", describe_pictures)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
