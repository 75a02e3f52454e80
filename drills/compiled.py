"""Compiled code on disk, damaged or without space: right results, no traceback, whole files afterwards."""

import hashlib
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from drills.experiment import run_command

Outcomes = Iterator[bool]
FIT = """
import hashlib, numpy as np
from markone import LVQ1, MinOver, Rosenblatt
X = np.random.default_rng(0).normal(size=(30, 5))
y = X[:, 0] > 0
found = [model.fit(X, y) for model in (Rosenblatt(random_state=0), MinOver(), LVQ1(random_state=0))]
values = [getattr(model, "coef_", getattr(model, "prototypes_", None)) for model in found]
print(hashlib.sha256(b"".join(np.ascontiguousarray(value).tobytes() for value in values)).hexdigest())
"""
# Mounts that only the command sees: root of its own user namespace, and files of its own.
NAMESPACE = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]


def fit_students(cache: Path, options: str = "") -> tuple[str, str]:
    """Fit in a new process, with `options` on a file system of its own; return the hash of the weights and
    what was written to stderr."""
    environment = os.environ | {"MARKONE_CACHE_DIR": str(cache)}
    command = [sys.executable, "-c", FIT]
    if options:
        command = [
            *NAMESPACE,
            f'mount -t tmpfs -o mode=0700,{options} none "$0" && exec "$@"',
            str(cache),
            *command,
        ]
    found = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=400, check=False)
    return found.stdout.strip(), found.stderr


def is_whole(file: Path) -> bool:
    content = file.read_bytes()
    return hashlib.sha256(content[32:]).digest() == content[:32]


def damage_file(file: Path, chance: random.Random) -> None:
    data = bytearray(file.read_bytes())
    kind = chance.choice(["empty", "cut", "zeros", "bit"])
    if kind == "bit":
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    file.write_bytes(
        {"empty": b"", "cut": data[: chance.randrange(len(data))], "zeros": bytes(len(data))}.get(kind, data)
    )


def damage_compiled_code(folder: Path, tries: int = 200) -> Outcomes:
    """Damage all files of compiled code: the same bits, and whole files after one start."""
    right, chance, damaged = fit_students(folder)[0], random.Random(5), 0
    while damaged < tries:
        files = sorted(folder.rglob("*.nbc"))[: tries - damaged]
        for file in files:
            damage_file(file, chance)
        good = fit_students(folder) == (right, "")
        yield from (good and is_whole(file) for file in files)
        damaged += len(files)


def fill_cache(folder: Path) -> Outcomes:
    """No or little space, a read-only folder: the same bits, at most one warning; healed afterwards."""
    (folder / "whole").mkdir()
    right, _ = fit_students(folder / "whole")
    for number, options in enumerate(("size=4k", "size=64k", "size=400k", "ro")):
        cache = folder / str(number)
        cache.mkdir(mode=0o700)
        found, errors = fit_students(cache, options)
        yield found == right and "Traceback" not in errors and errors.count("cannot be stored") <= 1
        yield fit_students(cache) == (right, "") and all(map(is_whole, cache.rglob("*.nbc")))


def skip_reason() -> str:
    """Return why a user namespace with mounts cannot be had here; "" if it can."""
    try:
        tried = run_command(Path(), [*NAMESPACE, "mount -t tmpfs none /mnt"], 30)
    except FileNotFoundError:
        return "there is no unshare"
    return "" if tried.returncode == 0 else "mounts in a user namespace are not allowed here"


DRILLS = {"damaged compiled code": damage_compiled_code, "no space for compiled code": fill_cache}
