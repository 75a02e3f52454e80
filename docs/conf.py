"""Sphinx configuration: `make docs`, from a clean clone, without a network."""

import os
import sys
from datetime import date
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("MPLBACKEND", "Agg")

from generate import cores, write_all  # noqa: E402 - after the path is set

import markone  # noqa: E402 - after the path and the threads are set

project = "markone"
author = "The markone developers"
version = release = markone.__version__
copyright = f"{date.today().year}, {author}"

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "sphinxcontrib.bibtex",
    "generate.inherited_members",
    "generate.live_figures",
    "generate.mathml",
    "generate.page_outputs",
    "generate.picture_texts",
    "generate.plain_formulas",
]
html_math_renderer = "mathml"
exclude_patterns = ["_build", "generate", "static", "templates", "reference/generated/api/README.*"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
nitpicky = False
# `coef_` in a docstring is a link if there is such a page, else code.
default_role = "py:obj"
# Quotes are kept, since code is copied from pages; dashes and ellipses are converted.
smartquotes_action = "De"

bibtex_bibfiles = ["references.bib"]
autosummary_generate = True
autodoc_default_options = {"members": True, "inherited-members": False, "show-inheritance": False}
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

GALLERY = ("perceptrons", "theory", "prototypes", "machines", "evaluation", "lab")
sphinx_gallery_conf = {
    "examples_dirs": ["../examples"],
    "gallery_dirs": ["gallery"],
    "filename_pattern": r"/plot_",
    "ignore_pattern": r"__init__\.py|students_and_teacher\.py",
    "abort_on_example_error": True,
    "remove_config_comments": True,
    "show_memory": False,
    "write_computation_times": False,  # its page would load scripts from other hosts
    "download_all_examples": False,
    "min_reported_time": 5,
    "show_signature": False,
    "image_srcset": ["2x"],
    "parallel": cores.count_cores(),
    "subsection_order": [f"../examples/{folder}" for folder in GALLERY],
}

html_theme = "pydata_sphinx_theme"
html_title = "markone"
# Single pages have no sidebar.
html_sidebars = {page: [] for page in ("index", "how_do_i", "trust")}
html_static_path = ["static"]
templates_path = ["templates"]
html_css_files = ["markone.css"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "logo": {"text": "markone"},
    "navbar_align": "left",
    "header_links_before_dropdown": 6,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "show_prev_next": True,
    "pygments_light_style": "tango",
    "pygments_dark_style": "github-dark",
}
html_context = {"default_mode": "auto"}

write_all(HERE / "reference" / "generated")
