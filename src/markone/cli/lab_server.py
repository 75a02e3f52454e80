"""`markone lab`: the web laboratory."""

import dataclasses
import threading
import webbrowser
from pathlib import Path

from markone.web.app import configure_server, make_app
from markone.web.classroom.routes import PUBLIC, Classroom
from markone.web.lesson_files import find_lesson_problems, load_lessons
from markone.web.offline.export import export_laboratory
from markone.web.security import Access, find_addresses, format_host, new_token
from markone.web.sheets import write_sheets

__all__ = ["export_lab", "serve_lab", "show_lesson_problems", "write_sheets"]

LOCAL = ("127.0.0.1", "localhost", "::1")


def serve_lab(
    host: str,
    port: int,
    names: list[str],
    token: bool,
    open_page: bool,
    lessons: Path | None = None,
    with_class: bool = False,
) -> None:
    load_lessons(lessons)
    access = _choose_access(host, port, names, token)
    addresses = [f"http://{format_host(address)}:{port}/" for address in find_addresses(host)]
    query = f"enter?token={access.token}" if access.token else ""
    page, *others = [f"{one}{query}" for one in (*addresses, *(f"https://{name}/" for name in names))]
    print(f"The laboratory is at {page}   (Ctrl-C ends it)", flush=True)
    for link in others:
        print(f"  also at {link}", flush=True)
    if access.token:
        print("Anyone with this link has access, nobody without it.", flush=True)
    classroom = None
    if with_class:
        joining = [f"{one}class" for one in (*(f"https://{name}/" for name in names), *addresses)]
        access, classroom = dataclasses.replace(access, public=PUBLIC), Classroom(joining[0])
        print(f"Students join at {' or '.join(joining)} with the code {classroom.votes.code}", flush=True)
    if open_page:
        threading.Timer(1.0, webbrowser.open, [page]).start()
    try:
        configure_server(make_app(access, lessons=lessons, classroom=classroom), host, port).run()
    except KeyboardInterrupt:
        print("\nThe laboratory is closed.")


def export_lab(folder: Path, screens: list[str], lessons: Path | None) -> None:
    """Write a page without a server and print where it is."""
    sizes = export_laboratory(folder, screens, lessons)
    print(f"{folder / 'index.html'}: {sum(sizes.values()) / 1000:.0f} kB. Open it in a browser, or copy the")
    print("folder to any web server.")


def show_lesson_problems(folder: Path) -> int:
    """Print all problems of the lessons of a folder; return the exit status."""
    problems = find_lesson_problems(folder)
    print("\n".join(problems) or f"All {len(load_lessons(folder))} lessons in {folder} are valid.")
    return 1 if problems else 0


def _choose_access(host: str, port: int, names: list[str], token: bool) -> Access:
    if token:
        return Access.for_token(host, port, names, new_token())
    if host in LOCAL and not names:
        return Access.for_local(port)
    where = host if host not in LOCAL else names[0]
    raise ValueError(
        f"At the address {where} others could use this laboratory. Leave out --no-token: access then needs "
        "the printed link."
    )
