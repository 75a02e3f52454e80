"""Install and test markone with several Pythons and dependencies, each in its own environment.

python .ci/versions.py                   every job of .ci/versions.toml whose interpreter is installed
python .ci/versions.py --job lowest      one of them
python .ci/versions.py -- tests          all tests instead of the selected ones
"""

import argparse
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
HOME = ROOT / ".cache" / "versions"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--job", help="its name in versions.toml")
    parser.add_argument("tests", nargs="*")
    given = parser.parse_args()
    content = tomllib.loads((ROOT / ".ci" / "versions.toml").read_text())
    jobs = [job for job in content["job"] if given.job in (None, job["name"])]
    if not jobs:
        parser.error(f"there is no job {given.job!r}; there are {[job['name'] for job in content['job']]}")
    table = [(job["name"], run_job(job, given.tests or content["tests"])) for job in jobs]
    print()
    for name, result in table:
        print(f"{name:14} {result}")
    return int(any(result.startswith("failed") for _, result in table))


def run_job(job: dict[str, Any], tests: list[str]) -> str:
    python = find_interpreter(job["python"])
    if python is None:
        return f"left out: there is no Python {job['python']} here"
    print(f"\n== {job['name']}: {python}, {job['resolution']} versions", flush=True)
    place = HOME / job["name"]
    shutil.rmtree(place, ignore_errors=True)
    programs = place / ("Scripts" if os.name == "nt" else "bin")
    here = str(programs / "python")
    run_uv("venv", "--quiet", "--python", python, str(place))
    run_uv("pip", "install", "--quiet", "--python", here, "--resolution", job["resolution"], ".[test]")
    # The installed package is tested, not the sources.
    clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    pytest = [here, "-m", "pytest", "-q", *job.get("options", []), *tests]
    for step in ([str(programs / "markone"), "--help"], pytest):
        if subprocess.run(step, cwd=ROOT, env=clean, check=False).returncode:
            return f"failed: {' '.join(step)}"
    return "passed"


def find_interpreter(version: str) -> str | None:
    """Return an interpreter of pyenv or on the path that reports this version (pyenv's shims may not)."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for found in (*sorted(pyenv.glob(f"{version}.*/bin/python")), shutil.which(f"python{version}")):
        if found:
            output = subprocess.run([str(found), "--version"], capture_output=True, text=True, check=False)
            if output.stdout.startswith(f"Python {version}."):
                return str(found)
    return None


def run_uv(*words: str) -> None:
    """Run uv, installed on first use: pip cannot choose the lowest versions."""
    tools = HOME / "tools"
    program = tools / ("Scripts" if os.name == "nt" else "bin") / "uv"
    if not program.exists():
        subprocess.run([sys.executable, "-m", "venv", str(tools)], check=True)
        subprocess.run(
            [str(program.with_name("python")), "-m", "pip", "install", "-q", "uv>=0.5"], check=True
        )
    subprocess.run([str(program), *words], cwd=ROOT, check=True)


if __name__ == "__main__":
    sys.exit(main())
