"""`markone lab`: the web laboratory."""

import threading
import webbrowser

from markone.web.app import configure_server, make_app
from markone.web.security import Access, find_addresses, format_host, new_token

LOCAL = ("127.0.0.1", "localhost", "::1")


def serve_lab(host: str, port: int, names: list[str], token: bool, open_page: bool) -> None:
    access = _choose_access(host, port, names, token)
    addresses = [f"http://{format_host(address)}:{port}/" for address in find_addresses(host)]
    query = f"enter?token={access.token}" if access.token else ""
    page, *others = [f"{one}{query}" for one in (*addresses, *(f"https://{name}/" for name in names))]
    print(f"The laboratory is at {page}   (Ctrl-C ends it)", flush=True)
    for link in others:
        print(f"  also at {link}", flush=True)
    if access.token:
        print("Anyone with this link has access, nobody without it.", flush=True)
    if open_page:
        threading.Timer(1.0, webbrowser.open, [page]).start()
    try:
        configure_server(make_app(access), host, port).run()
    except KeyboardInterrupt:
        print("\nThe laboratory is closed.")


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
