"""One archive with all that a run needs to be computed again, and the check that nothing in it was changed.

It has the declaration, own sources, versions, the git state of the folder, hashes of real data, results,
report, RO-Crate metadata and CITATION.cff, and a checksum of each file.
"""

import hashlib
import json
import platform
import shutil
import zipfile
from contextlib import closing
from dataclasses import dataclass, field
from importlib.metadata import distributions
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

import markone
from markone.errors import StoreError
from markone.lab import foreign_code
from markone.lab.load import load_declaration, toml_text
from markone.lab.recorded_facts import real_data_facts
from markone.lab.report.pages import write_report
from markone.lab.runner.run import run
from markone.lab.schedule.remaining import count_tasks
from markone.lab.schema import Declaration
from markone.lab.store import database
from markone.lab.store.export import export_results
from markone.lab.store.merge import merge_stores
from markone.lab.store.provenance import run_git, utc_timestamp
from markone.lab.store.results import Store
from markone.lab.store.verify import examine_store
from markone.numerics.files import staged_file

SUMS, STORE, TABLE, TOML = "SHA256SUMS", "results.sqlite", "results.csv", "declaration.toml"
CODE, VERSIONS = "code", "requirements.txt"
# Bytes of an unpacked archive, and its files.
LARGEST, MOST_FILES = 20 * 2**30, 100_000


@dataclass
class BundleReport:
    """Number of files, and a sentence for each problem."""

    files: int = 0
    problems: list[str] = field(default_factory=list)


def write_bundle(declaration: Declaration, store: Store, path: Path) -> Path:
    """Write the archive of a run."""
    packages = sorted(set(declaration.packages) - foreign_code.OURS)
    if foreign_code.HERE in packages:
        raise ValueError(
            "This experiment uses code of a script or a notebook: write it to a file beside the declaration, "
            "so that it can be part of the archive."
        )
    if missing := count_tasks(declaration, store.done(declaration.precision_of)).missing:
        raise ValueError(f"{missing} tasks of {declaration.name} are missing: run it first.")
    with TemporaryDirectory() as place:
        folder = Path(place)
        (folder / TOML).write_text(toml_text(declaration), encoding="utf-8")
        for package in packages:
            for name, source in foreign_code.package_files(package).items():
                target = folder / CODE / name
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target)
        with store.errors(), closing(database.connect_to_read(store.path, "mode=ro")) as stored:
            if stored.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
                raise StoreError(database.SENTENCES["SQLITE_CORRUPT"].format(path=store.path))
            # A copy in one file, also while another process writes to the store.
            stored.execute("VACUUM INTO ?", (str(folder / STORE),))
        export_results(store, declaration, folder / TABLE)
        write_report(declaration, store.points(declaration), store.provenance(), folder / "report")
        (folder / VERSIONS).write_text(_list_versions(), encoding="utf-8")
        facts = {"git": _git_state(), "data": real_data_facts(declaration)}
        (folder / "environment.json").write_text(json.dumps(facts, indent=1), encoding="utf-8")
        (folder / "CITATION.cff").write_text(_citation_text(declaration), encoding="utf-8")
        files = _list_files(folder)
        crate = json.dumps(_crate_metadata(declaration, files), indent=1)
        (folder / "ro-crate-metadata.json").write_text(crate, encoding="utf-8")
        _write_sums(folder)
        with staged_file(path) as part, zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in _list_files(folder):
                archive.write(folder / name, name)
    return path


def unpack_bundle(path: Path, folder: Path) -> BundleReport:
    """Unpack an archive into a new folder, and check every file and every row of it."""
    if folder.exists():
        raise FileExistsError(f"{folder} exists already: name another folder.")
    with zipfile.ZipFile(path) as archive:
        entries = archive.infolist()
        if len(entries) > MOST_FILES or sum(entry.file_size for entry in entries) > LARGEST:
            raise ValueError(f"{path} unpacks to more than {LARGEST >> 30} GB or {MOST_FILES} files.")
        for entry in entries:
            parts = PurePosixPath(entry.filename).parts
            if not parts or ".." in parts or entry.filename.startswith("/") or "\\" in entry.filename:
                raise ValueError(f"{path} has a file {entry.filename!r} outside its own folder.")
        folder.mkdir(parents=True)
        try:
            archive.extractall(folder)
        except zipfile.BadZipFile as error:
            raise ValueError(f"{path} is damaged: {error}") from None
    return check_bundle(folder)


def check_bundle(folder: Path) -> BundleReport:
    """Compare each file with its checksum, each row with its own, and the table with the store."""
    sums = (folder / SUMS).read_text(encoding="utf-8") if (folder / SUMS).is_file() else ""
    written = {name: digest for digest, _, name in (line.partition("  ") for line in sums.splitlines())}
    present = [name for name in _list_files(folder) if name != SUMS]
    missing = sorted(written.keys() - set(present))
    found = BundleReport(len(present), [f"{name} is missing." for name in missing])
    for name in present:
        if name not in written:
            found.problems.append(f"{name} is not in {SUMS}.")
        elif _hash_file(folder / name) != written[name]:
            found.problems.append(f"{name} differs from what was written.")
    if not found.problems:
        found.problems += examine_store(folder / STORE).problems
    return found


def run_bundle(folder: Path, store: Path) -> list[str]:
    """Compute an unpacked archive again, in another store; return a sentence for each difference."""
    # Its sources are beside the declaration, where they were when the run was declared.
    toml = folder / CODE / TOML
    toml.parent.mkdir(exist_ok=True)
    shutil.copyfile(folder / TOML, toml)
    declaration = load_declaration(toml)
    toml.unlink()
    with Store(store) as fresh:
        summary = run(declaration, fresh)
        problems = [f"{summary.failed} tasks failed."] if summary.failed else []
        with TemporaryDirectory() as place:
            exported = export_results(fresh, declaration, Path(place) / TABLE)
            if exported.read_bytes() != (folder / TABLE).read_bytes():
                problems.append(f"{TABLE} differs from what was computed now.")
        merged = merge_stores(fresh, [folder / STORE], other_code=True)
    return problems + [f"Other values: {one}" for one in merged.differing[:10]]


def compare_versions(folder: Path) -> list[str]:
    """The packages whose versions differ from those of the archive."""
    written = (folder / VERSIONS).read_text(encoding="utf-8").splitlines()
    return sorted(set(written) - set(_list_versions().splitlines()))


def _list_versions() -> str:
    """Python and all installed packages, as for pip."""
    found = {f"{each.metadata['Name']}=={each.version}" for each in distributions()}
    return "\n".join([f"# Python {platform.python_version()}", *sorted(found, key=str.lower), ""])


def _git_state() -> dict[str, str]:
    """Commit of the working folder, and what differs from it; empty if it is no repository."""
    questions = {
        "commit": ("rev-parse", "HEAD"),
        "status": ("status", "--porcelain"),
        "diff": ("diff", "HEAD"),
    }
    state = {name: run_git(Path(), *words) for name, words in questions.items()}
    return state | {"commit": state["commit"].strip()} if state["commit"] else {}


def _citation_text(declaration: Declaration) -> str:
    """CITATION.cff of the results; the author is for the user to add."""
    lines = ["cff-version: 1.2.0", "message: Results of an experiment with markone.", "type: dataset"]
    lines += [f"title: {json.dumps(declaration.title)}", f"date-released: {utc_timestamp()[:10]}"]
    lines += ["authors:", "  - name: the author of the experiment", "references:", "  - type: software"]
    lines += [f"    title: markone {markone.__version__}", "    authors:", "      - name: markone", ""]
    return "\n".join(lines)


def _crate_metadata(declaration: Declaration, files: list[str]) -> dict[str, Any]:
    """RO-Crate 1.1: the files and what they belong to."""
    crate, description = (
        "https://w3id.org/ro/crate/1.1",
        f"The experiment {declaration.name}: declaration, code,",
    )
    facts: dict[str, Any] = {"name": declaration.title, "description": f"{description} results and report."}
    facts |= {"datePublished": utc_timestamp()[:10], **_links(mentions="#run")}
    software = {"name": "markone", "softwareVersion": markone.__version__}
    graph = [
        _entity("ro-crate-metadata.json", "CreativeWork", **_links(about="./", conformsTo=crate)),
        _entity("./", "Dataset", **facts, hasPart=[{"@id": name} for name in files]),
        _entity("#run", "CreateAction", **_links(instrument="#markone", object=TOML, result=STORE)),
        _entity("#markone", "SoftwareApplication", **software),
        *(_entity(name, "File") for name in files),
    ]
    return {"@context": f"{crate}/context", "@graph": graph}


def _entity(place: str, kind: str, **more: Any) -> dict[str, Any]:
    return {"@id": place, "@type": kind} | more


def _links(**targets: str) -> dict[str, dict[str, str]]:
    return {name: {"@id": target} for name, target in targets.items()}


def _list_files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def _hash_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write_sums(folder: Path) -> None:
    lines = [f"{_hash_file(folder / name)}  {name}\n" for name in _list_files(folder)]
    (folder / SUMS).write_text("".join(lines), encoding="utf-8")
