"""Build wheel and source archive, and test them in new environments: without extras, and with each.

python .ci/release.py                    with the present version
python .ci/release.py --version 0.2.0    first writes version and date into the files that contain them
python .ci/release.py --extra lab        one environment only
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tomllib
from datetime import date
from pathlib import Path

from versions import ROOT, run_uv

HOME, DIST, SMOKE = ROOT / ".cache" / "release", ROOT / "dist", ROOT / ".ci" / "smoke"
# Extras for development, not for users.
INSIDE = {"test", "docs", "bench", "dev"}
# Extras that need an external program: skipped if it is missing.
NEEDS = {"mpi": "mpiexec"}
# Files that contain the version, with a pattern of one group.
PLACES = {
    "src/markone/__init__.py": r'__version__ = "(.+)"',
    "CITATION.cff": r"^version: (.+)$",
    "docs/index.md": r"markone-(\d[\d.]*\d)-py3",
    "docs/trust.md": r"The version is (\d[\d.]*\d)\.",
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--version")
    parser.add_argument("--extra", help="only this one")
    given = parser.parse_args()
    if given.version:
        write_version(given.version)
    version = read_version()
    wheel, archive = build_archives(version)
    jobs = {"the source archive": (str(archive), "none"), "no extra": (str(wheel), "none")}
    jobs |= {extra: (f"{wheel}[{extra}]", extra) for extra in list_extras()}
    failed = False
    for job, what in jobs.items():
        if given.extra in (None, job):
            result = check_installation(*what)
            print(f"{job:20} {result}", flush=True)
            failed |= result.startswith("failed")
    if not failed:
        print(f"markone {version} is in {DIST.name}/. Left to do: commit, `git tag v{version}`, upload.")
    return int(failed)


def list_extras() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return [extra for extra in project["optional-dependencies"] if extra not in INSIDE]


def write_version(version: str) -> None:
    """Write the version into all files; 'Unreleased' in the changelog gets number and date."""
    for place, pattern in PLACES.items():
        path = ROOT / place
        found = re.search(pattern, path.read_text(), re.MULTILINE)
        assert found, place
        path.write_text(path.read_text()[: found.start(1)] + version + path.read_text()[found.end(1) :])
    changes = ROOT / "CHANGELOG.md"
    heading = f"## Unreleased\n\n## {version} ({date.today()})"
    changes.write_text(changes.read_text().replace("## Unreleased", heading, 1))


def read_version() -> str:
    """Return the version; exit if the files differ."""
    found = {place: re.search(pattern, (ROOT / place).read_text(), re.M) for place, pattern in PLACES.items()}
    named = {place: match[1] if match else "none" for place, match in found.items()}
    if len(set(named.values())) != 1:
        sys.exit(f"The files name different versions: {named}. Give one with --version.")
    return named["CITATION.cff"]


def build_archives(version: str) -> tuple[Path, Path]:
    shutil.rmtree(DIST, ignore_errors=True)
    run_uv("build", "--quiet", "--out-dir", str(DIST))
    wheel, archive = DIST / f"markone-{version}-py3-none-any.whl", DIST / f"markone-{version}.tar.gz"
    assert wheel.exists(), wheel
    assert archive.exists(), archive
    return wheel, archive


def check_installation(what: str, smoke: str) -> str:
    """Install it into an empty environment and run its smoke test outside the sources."""
    if smoke in NEEDS and not shutil.which(NEEDS[smoke]):
        return f"left out: there is no {NEEDS[smoke]} here"
    place = HOME / Path(what).name
    shutil.rmtree(place, ignore_errors=True)
    python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    run_uv("venv", "--quiet", "--python", sys.executable, str(place))
    run_uv("pip", "install", "--quiet", "--python", str(python), what)
    clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    clean |= {"MARKONE_CACHE_DIR": str(HOME / "compiled"), "MPLBACKEND": "Agg"}
    programs = [SMOKE / "none.py", *([SMOKE / f"{smoke}.py"] if smoke != "none" else [])]
    for program in programs:
        if subprocess.run([str(python), "-I", str(program)], cwd=place, env=clean, check=False).returncode:
            return f"failed: {program.name}"
    shutil.rmtree(place)
    return "passed"


if __name__ == "__main__":
    sys.exit(main())
