"""`markone lab`: the laboratory in a browser."""

import threading
import webbrowser

from markone.web.app import configured, make_app
from markone.web.security import Access, in_a_link, new_token, reachable

LOCAL = ("127.0.0.1", "localhost", "::1")


def lab(host: str, port: int, names: list[str], token: bool, open_page: bool) -> None:
    access = _access(host, port, names, token)
    addresses = [f"http://{in_a_link(one)}:{port}/" for one in reachable(host)]
    entrance = f"enter?token={access.token}" if access.token else ""
    page = f"{addresses[0]}{entrance}"
    print(f"The laboratory is at {addresses[0]}   (Ctrl-C ends it)", flush=True)
    if access.token:
        print("Only who has a link with the token gets in, and it is shown once:", flush=True)
        for address in [*addresses, *(f"https://{name}/" for name in names)]:
            print(f"  {address}{entrance}", flush=True)
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
            f"Under the address {where} others could use this laboratory. Add --token: only who has the link "
            "it shows gets in."
        )
    return Access.public(host, port, names, new_token())
