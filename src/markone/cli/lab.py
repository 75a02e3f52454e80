"""`markone lab`: the laboratory in a browser."""

import threading
import webbrowser

from markone.web.app import configured, make_app
from markone.web.security import Access, new_token

LOCAL = ("127.0.0.1", "localhost", "::1")


def lab(host: str, port: int, names: list[str], token: bool, open_page: bool) -> None:
    access = _access(host, port, names, token)
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{port}/"
    page = f"{address}enter?token={access.token}" if access.token else address
    print(f"The laboratory is at {address}   (Ctrl-C ends it)")
    if access.token:
        print(f"Only this link opens it, and it is shown once:\n  {page}")
        for name in names:
            print(f"  https://{name}/enter?token={access.token}")
    if open_page:
        threading.Timer(1.0, webbrowser.open, [page]).start()
    configured(make_app(access), host, port).run()


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
