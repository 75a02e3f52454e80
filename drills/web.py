"""Hostile names in a real browser, and the laboratory at an address of a network."""

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

from drills.experiment import drill_command, run_command

Outcomes = Iterator[bool]
# Each would set window.harm if the page read it as HTML or ran it.
HARM = (
    "<script>window.harm=1</script>",
    "<img src=x onerror=window.harm=1>",
    '"><svg onload=window.harm=1>',
    "</style></title><iframe srcdoc='<script>top.harm=1</script>'>",
    "javascript:window.harm=1//",
    "{{7*7}}${window.harm=1}",
    "\u202e\u0000\u001b[31m" + "x" * 300,
)
# Column of the classes.
TARGET = 0
# The first pages, two reports and the screens of a table, show harmful names.
SHOWING = 5
UNSAFE = "() => window.harm || document.querySelector('iframe[srcdoc], main img[src=x], #stage script')"


def find_chromium() -> str | None:
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def skip_without_browser() -> str:
    if find_spec("playwright") is None:
        return "playwright is not installed"
    return "" if find_chromium() else "there is no Chromium"


def write_hostile_table(columns: int) -> bytes:
    """A table whose column and class names are harmful."""
    names = [f'"{HARM[k % len(HARM)].replace(chr(34), chr(34) * 2)}{k}"' for k in range(columns)]
    rows = [
        ",".join([names[k % 2], *(str((k * j) % 7 + k % 2) for j in range(1, columns))]) for k in range(60)
    ]
    return "\n".join([",".join(names), *rows]).replace("\0", "").encode()


@contextmanager
def serve_laboratory() -> Iterator[str]:
    from markone.web.app import configure_server, make_app
    from markone.web.security import Access

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = configure_server(make_app(Access.for_local(port), workers=1), "127.0.0.1", port)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.1)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(30)


def list_addresses(lab: str) -> Iterator[str]:
    """Every screen with harmful text in each field that takes text, and the screens of an uploaded table."""
    import httpx

    from markone.web.screens import all_screens

    answer = httpx.post(f"{lab}/table", content=write_hostile_table(5), headers={"Origin": lab})
    # Texts that may be missing are written in quotes.
    own = f"data=own&table='{answer.json()['key']}'&name={quote(HARM[1])}"
    target = quote(f"'{HARM[TARGET]}{TARGET}'")
    yield f"table?{own}"
    yield f"table?{own}&model=hebb&cv=1x5&target={target}&go=true"
    yield f"prototypes?{own}&target={target}"
    for screen in all_screens():
        texts = [
            name for name, field in screen.state.model_fields.items() if field.annotation in (str, str | None)
        ]
        for harm in HARM:
            yield screen.name + "?" + "&".join(f"{name}={quote(harm)}" for name in (*texts, harm[:9]))


def show_hostile_names(folder: Path) -> Outcomes:
    """All screens and reports: no script runs, nothing is requested from elsewhere, no error on the page."""
    from playwright.sync_api import sync_playwright

    (folder / "table.csv").write_bytes(write_hostile_table(5))
    words = ["fit", "table.csv", "--model", "gmlvq", "--cv", "1x5", "--report", "fit.html"]
    fitted = run_command(
        folder, [sys.executable, "-m", "markone", *words, "--target", f"{HARM[TARGET]}{TARGET}"]
    )
    yield fitted.returncode == 0 and "\x1b" not in fitted.stdout
    toml = folder / "drill.toml"
    drill_command(folder, "run")
    claim = f'[[claim]]\ntext = {json.dumps(HARM[1])}\nmeasure = "converged"\nexpect = {{ above = 0.0 }}\n'
    toml.write_text(toml.read_text().replace('"A small experiment"', json.dumps(HARM[0])) + claim)
    command = [sys.executable, "-m", "markone"]
    done = [run_command(folder, [*command, word, "drill.toml"]).returncode for word in ("run", "report")]
    yield done == [0, 0]
    with sync_playwright() as driver, serve_laboratory() as lab:
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = driver.chromium.launch(executable_path=find_chromium(), args=arguments)
        files = [folder / "fit.html", folder / "runs" / "drill" / "report.html"]
        addresses = [*(file.as_uri() for file in files), *(f"{lab}/#/{one}" for one in list_addresses(lab))]
        for number, address in enumerate(addresses):
            yield is_harmless(browser, address, lab, shows_names=number < SHOWING)
        browser.close()


def is_harmless(browser: Any, address: str, lab: str, shows_names: bool) -> bool:
    """Open a page and wait for a harmful name as text on it, or a moment."""
    page, wrong = browser.new_page(), []
    own = (lab, "file:", "blob:", "data:", "ws://127.0.0.1")
    page.on("dialog", lambda dialog: wrong.append(dialog.message))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda asked: asked.url.startswith(own) or wrong.append(asked.url))
    page.goto(address)
    if shows_names:
        page.get_by_text("harm=1").first.wait_for(state="attached", timeout=120_000)
    if "go=true" in address:  # the report of the fit
        page.wait_for_selector("iframe.page", timeout=120_000)
    page.wait_for_timeout(1500)
    harmed = page.evaluate(UNSAFE)
    page.close()
    if harmed or wrong:
        print(f"    {address}: {wrong}", flush=True)
    return not harmed and not wrong


INSIDE = """
import re, socket, subprocess, sys, time
import httpx

def serve(*options):
    command = [sys.executable, "-m", "markone", "lab", "--port", "8765", *options]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    link = running.stdout.readline()
    for _ in range(600):
        for address in ("127.0.0.1", "10.9.0.1"):
            with socket.socket() as probe:
                if probe.connect_ex((address, 8765)) == 0:
                    return running, link
        if running.poll() is not None:
            return running, link
        time.sleep(0.1)

def status(address, cookies=None, **headers):
    try:
        return httpx.get(address, headers=headers, cookies=cookies).status_code
    except httpx.ConnectError:
        return 0

away = "http://10.9.0.1:8765/"
for host in (None, "10.9.0.1", "0.0.0.0"):
    running, text = serve(*(["--host", host] if host else []))
    try:
        link = re.search(r"http://\\S+", text)[0]
        home = "http://127.0.0.1:8765/" if host is None else away
        print(link.startswith(home + "enter?token="))
        print(status(away) == (0 if host is None else 401))
        print(status(home, Host="evil.example") == 400)
        print(status(home, Origin="http://evil.example") == 403)
        entered = httpx.get(link)
        print(entered.status_code == 200 and status(home, cookies=dict(entered.cookies)) == 200)
        print(status(home + "enter?token=wrong") == 401)
    finally:
        running.terminate()
        running.wait()
running, text = serve("--host", "10.9.0.1", "--no-token")
print(running.wait() == 2 and "--no-token" in text)
"""
NAMESPACE = ["unshare", "--user", "--map-root-user", "--net", "sh", "-c"]
LINK = "ip link set lo up && ip address add 10.9.0.1/24 dev lo && "
LINK += 'ip route add default dev lo src 10.9.0.1 && exec "$@"'


def serve_network(folder: Path) -> Outcomes:
    """Another address needs the token and the right Host and Origin; without --host it is not served."""
    command = [*NAMESPACE, LINK, "sh", sys.executable, "-c", INSIDE]
    found = subprocess.run(command, cwd=folder, env=os.environ, capture_output=True, text=True, check=False)
    lines = found.stdout.split()
    yield from (line == "True" for line in lines)
    yield len(lines) == 19 and found.returncode == 0


def skip_without_namespace() -> str:
    if not shutil.which("unshare") or not shutil.which("ip"):
        return "there is no unshare or no ip"
    tried = run_command(Path(), [*NAMESPACE, LINK, "sh", "true"], 30)
    return "" if tried.returncode == 0 else "network namespaces are not allowed here"


DRILLS = {"hostile names in a browser": show_hostile_names, "--host in a network namespace": serve_network}
