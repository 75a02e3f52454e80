"""Paths of a run: runs/<name>/, with its store, its shards and its report."""

import re
import tomllib
from pathlib import Path

RUNS = Path("runs")
Shard = tuple[int, int]
RESULTS = "results.sqlite"
# Names that are safe in a path, in a job script and as a figure's name.
NAME = r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}"


def validate_run_name(name: str) -> str:
    if not re.fullmatch(NAME, name):
        raise ValueError(
            f"{name[:60]!r} is not a name of an experiment: use letters, digits, - and _ (at most 100), with "
            "a letter or a digit first. A file needs its suffix .toml."
        )
    return name


def experiment_name(experiment: str) -> str:
    """The name inside a TOML file, or the given name itself."""
    path = Path(experiment)
    if path.suffix != ".toml":
        return validate_run_name(experiment)
    if not path.exists():
        raise FileNotFoundError(
            f"There is no file {path}. `markone new` writes one, `markone list` shows names."
        )
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} is not valid TOML: {error}") from None
    except RecursionError:
        raise ValueError(f"{path} is nested too deeply to be read.") from None
    return validate_run_name(str(content.get("name", path.stem)))


def store_path(name: str, store: Path | None = None, shard: Shard | None = None) -> Path:
    """The database of a run; a shard has its own beside it."""
    path = store or RUNS / name / RESULTS
    if shard:
        index, count = shard
        path = path.with_name(f"{path.stem}-shard-{index + 1}-of-{count}{path.suffix}")
    return path


def shard_paths(store: Path) -> list[Path]:
    """The stores of all shards that were started, in order."""

    def number(path: Path) -> int:
        return int(path.stem.rsplit("-shard-", 1)[1].partition("-")[0])

    return sorted(store.parent.glob(f"{store.stem}-shard-*-of-*{store.suffix}"), key=number)


def parse_shard(text: str) -> Shard:
    """'3/64' -> (2, 64): the option and SLURM count from one, the runner from zero."""
    match = re.fullmatch(r"(\d+)/(\d+)", text)
    index, count = (int(match[1]), int(match[2])) if match else (0, 0)
    if not 1 <= index <= count:
        raise ValueError(f"--shard {text!r} must be i/n with 1 <= i <= n, for example 3/64.")
    return index - 1, count


def require_store(store: Path, experiment: str) -> Path:
    if not store.exists():
        raise FileNotFoundError(f"There is no store {store} yet. Run it first: markone run {experiment}")
    return store
