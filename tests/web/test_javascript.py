"""The JavaScript modules: small, typed (if a compiler is installed), no markup from data."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import markone

STATIC = Path(markone.__file__).parent / "web" / "static"
MODULES = sorted(STATIC.rglob("*.js"))


def test_types_in_comments_hold():
    """Checked by tsc if it is installed; it is not needed to install, run or test markone."""
    compiler = shutil.which("tsc")
    if compiler is None:
        pytest.skip("there is no tsc on this machine")
    options = "--allowJs --checkJs --noEmit --target esnext --module esnext --moduleResolution bundler"
    found = subprocess.run(
        [compiler, *options.split(), "--lib", "esnext,dom,dom.iterable", *map(str, MODULES)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stdout


def test_text_is_never_markup_or_code():
    forbidden = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function")
    texts = {str(path.relative_to(STATIC)): path.read_text() for path in MODULES}
    assert [(name, word) for name, text in texts.items() for word in forbidden if word in text] == []


def test_modules_stay_small():
    assert not [path.name for path in MODULES if len(path.read_text().splitlines()) > 250]


def test_preloaded_modules_exist():
    page = (STATIC / "index.html").read_text()
    asked = re.findall(r'(?:href|src)="/static/([^"]+)"', page)
    assert len(asked) > 10
    assert all((STATIC / name).exists() for name in asked)
