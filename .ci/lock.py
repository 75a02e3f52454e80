"""The locked packages: versions and hashes of all that `make demo`, `make lab` and `make test` install.

python .ci/lock.py           write .ci/locked.txt from pyproject.toml (`make lock`)
python .ci/lock.py lab       install markone with this extra and the packages of .ci/locked.txt
"""

import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

from versions import ROOT, run_uv

LOCKED = ROOT / ".ci" / "locked.txt"
# What builds the editable installation.
BUILD = ("hatchling", "editables")
# For all systems and all Pythons that pyproject.toml allows.
COMPILE = ["pip", "compile", "pyproject.toml", "--extra", "test", "--universal", "--python-version", "3.11"]
COMPILE += ["--upgrade", "--generate-hashes", "--no-header", "--quiet", "--output-file"]
# In the comments of a package: those that need it.
PARENT = re.compile(r"^ +# +(?:via +)?(\S+)$", re.M)


def main() -> int:
    if not sys.argv[1:]:
        run_uv(*COMPILE, str(LOCKED))
        return 0
    pip = [sys.executable, "-m", "pip"]
    quiet = ["install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    with tempfile.TemporaryDirectory() as folder:
        chosen = Path(folder) / "locked.txt"
        chosen.write_text("".join(select_packages(sys.argv[1]).values()))
        subprocess.run([*pip, *quiet, "--require-hashes", "-r", str(chosen)], check=True)
    subprocess.run([*pip, *quiet, "--no-build-isolation", "--editable", str(ROOT)], check=True)
    return subprocess.run([*pip, "check"], check=False).returncode


def select_packages(extra: str) -> dict[str, str]:
    """Names and lines of the locked packages that an extra needs."""
    blocks = read_blocks()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = {*BUILD, *map(read_name, project["dependencies"]), *iterate_extra_names(project, extra)}
    found: dict[str, str] = {}
    while new := wanted & blocks.keys() - found.keys():
        found |= {name: blocks[name] for name in new}
        wanted |= {name for name, text in blocks.items() if new & set(PARENT.findall(text))}
    return found


def read_blocks() -> dict[str, str]:
    """Names and lines of the locked packages; of some there are several versions, for different Pythons."""
    found: dict[str, str] = {}
    for text in re.split(r"^(?=\S)", LOCKED.read_text(), flags=re.M)[1:]:
        name = read_name(text)
        found[name] = found.get(name, "") + text
    return found


def iterate_extra_names(project: dict, extra: str) -> Iterator[str]:
    for requirement in project["optional-dependencies"][extra]:
        own = re.match(r"markone\[(.+)\]", requirement)
        for part in own[1].split(",") if own else ():
            yield from iterate_extra_names(project, part)
        if not own:
            yield read_name(requirement)


def read_name(requirement: str) -> str:
    """Normalized name of the package of a requirement."""
    return re.sub(r"[-_.]+", "-", re.match(r"[\w.-]+", requirement)[0]).lower()


if __name__ == "__main__":
    sys.exit(main())
