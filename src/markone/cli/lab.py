"""`markone lab`: the web laboratory."""

import threading
import webbrowser

from markone.web.app import configured, make_app
from markone.web.security import Access, in_a_link, new_token, reachable

LOCAL = ("127.0.0.1", "localhost", "::1")


def lab(host: str, port: int, names: list[str], token: bool, open_page: bool) -> None:
    access = _access(host, port, names, token)
    addresses = [f"http://{in_a_link(address)}:{port}/" for address in reachable(host)]
    query = f"enter?token={access.token}" if access.token else ""
    page = f"{addresses[0]}{query}"
    print(f"The laboratory is at {addresses[0]}   (Ctrl-C ends it)", flush=True)
    if access.token:
        print("Access needs a link with the token, which is shown once:", flush=True)
        for address in [*addresses, *(f"https://{name}/" for name in names)]:
            print(f"  {address}{query}", flush=True)
    if open_page:
        threading.Timer(1.0, webbrowser.open, [page]).start()
    try:
        configured(make_app(access), host, port).run()
    except KeyboardInterrupt:
        print("\nThe laboratory is closed.")


def _access(host: str, port: int, names: list[str], token: bool) -> Access:
    if host in LOCAL and not names and not token:
        return Access.local(port)
    if not token:
        where = host if host not in LOCAL else names[0]
        raise ValueError(
            f"At the address {where} others could use this laboratory. Add --token: access then needs "
            "the printed link."
        )
    return Access.public(host, port, names, new_token())
