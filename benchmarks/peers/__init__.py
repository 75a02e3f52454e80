"""Peers in separate environments, built once in the folder for temporary files."""

import subprocess
import sys
import tempfile
from pathlib import Path

PINNED = ["numpy<1.24", "scipy<1.11", "scikit-learn==1.2.2", "sklearn-lvq==1.1.1"]
FOLDER = Path(tempfile.gettempdir()) / "markone-peer-sklearn-lvq"


def sklearn_lvq_python() -> Path | None:
    """Return the Python of an environment with sklearn-lvq, which needs an old numpy, or None."""
    python = FOLDER / "bin" / "python"
    works = [str(python), "-c", "import sklearn_lvq"]
    if python.exists() and subprocess.run(works, capture_output=True).returncode == 0:
        return python
    if sys.version_info >= (3, 12):
        # numpy < 1.24 has no wheels for it.
        return None
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PINNED]
    for command in ([sys.executable, "-m", "venv", str(FOLDER)], install, works):
        if subprocess.run(command, capture_output=True).returncode:
            return None
    return python
