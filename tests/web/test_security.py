"""Access rules of the laboratory, each tested by a real request."""

import json
import logging
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
import websockets

from markone.cli.lab_server import _choose_access
from markone.cli.main import run_command_line
from markone.web.security import COOKIE, Access, find_addresses, format_host
from markone.web.table.uploads import make_upload_folder
from markone.web.time_limits import TimedRequests


def test_responses_have_strict_security_headers(laboratory):
    answer = httpx.get(laboratory.http + "/")
    policy = dict(part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "server" not in answer.headers


def test_every_kind_of_answer_has_the_headers(laboratory):
    for path in ("/", "/catalogue.json", "/static/main.js", "/static/nothing.js", "/nowhere"):
        assert "content-security-policy" in httpx.get(laboratory.http + path).headers, path


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "localhost:1", "127.0.0.1.evil.example:80", ""]
)
def test_a_foreign_host_is_refused(laboratory, host):
    assert httpx.get(laboratory.http + "/", headers={"host": host}).status_code == 400


def test_localhost_is_this_machine(laboratory):
    answer = httpx.get(laboratory.http + "/", headers={"host": f"localhost:{laboratory.port}"})
    assert answer.status_code == 200


def test_a_foreign_origin_is_refused_on_the_page(laboratory):
    assert httpx.get(laboratory.http + "/", headers={"origin": "https://evil.example"}).status_code == 403
    assert httpx.get(laboratory.http + "/", headers={"origin": laboratory.origin}).status_code == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", None])
def test_a_foreign_origin_is_refused_on_the_socket(laboratory, origin):
    with pytest.raises(websockets.exceptions.InvalidStatus) as refused:
        laboratory.run(lambda page: page.hear("welcome"), origin=origin)
    assert refused.value.response.status_code == 403


def test_a_foreign_host_is_refused_on_the_socket(laboratory):
    async def connect():
        address = f"ws://localhost.evil.example:{laboratory.port}/socket"
        async with websockets.connect(address, origin=laboratory.origin, host="127.0.0.1"):
            pass

    with pytest.raises(websockets.exceptions.InvalidStatus) as refused:
        laboratory.talk(connect())
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static//etc/passwd", "/static/..%2fapp.py"]
)
def test_no_path_leads_out_of_the_static_folder(laboratory, path):
    answer = httpx.get(laboratory.http + path)
    assert answer.status_code == 404
    assert "def " not in answer.text


def test_a_message_that_is_too_large_ends_the_connection(laboratory):
    async def send_large(page):
        await page.say("x" * 70_000)
        with pytest.raises(websockets.exceptions.ConnectionClosed) as closed:
            await page.hear("never")
        return closed.value.rcvd.code

    assert laboratory.run(send_large) == 1009


def test_sessions_beyond_the_limit_are_refused_with_a_message(new_laboratory):
    with new_laboratory(workers=1, most=2) as small:

        async def open_three():
            async with small.connect() as first, small.connect() as second:
                await first.recv(), await second.recv()
                async with small.connect() as third:
                    return json.loads(await third.recv())

        message = small.talk(open_three())
    assert message["kind"] == "ended"
    assert "All 2 sessions" in message["sentence"]


def test_an_idle_session_ends_with_a_sentence(new_laboratory):
    with new_laboratory(workers=1, idle=0.3) as idle:
        message = idle.run(lambda page: page.hear("ended"))
    assert "link keeps everything" in message["sentence"]


def public(port):
    return Access.for_token("127.0.0.1", port, ["lab.example.edu"], "secret-token")


def test_with_a_token_only_its_link_gives_access(new_laboratory):
    with new_laboratory(public, workers=1) as closed:
        assert httpx.get(closed.http + "/").status_code == 401
        assert httpx.get(closed.http + "/catalogue.json").status_code == 401
        assert httpx.get(closed.http + "/enter?token=wrong").status_code == 401
        assert (
            httpx.get(closed.http + "/", cookies={f"{COOKIE}_{closed.port}": "secret-token"}).status_code
            == 401
        )
        with pytest.raises(websockets.exceptions.InvalidStatus):
            closed.run(lambda page: page.hear("welcome"))
        entered = httpx.get(closed.http + "/enter?token=secret-token")
        cookie = entered.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "samesite=strict" in cookie.lower()
        assert "Secure" in cookie
        name = f"{COOKIE}_{closed.port}"  # a browser sends cookies to every port: one name for each
        key = entered.cookies[name]
        assert key != "secret-token"
        assert httpx.get(closed.http + "/", cookies={name: key}).status_code == 200
        headers = {"Cookie": f"{name}={key}"}
        assert closed.run(lambda page: page.hear("welcome"), additional_headers=headers)["kind"] == "welcome"


def test_behind_a_proxy_its_name_and_https_are_right():
    access = public(1234)
    assert "lab.example.edu" in access.hosts
    assert "https://lab.example.edu" in access.origins
    assert "http://lab.example.edu" not in access.origins


@pytest.mark.parametrize(
    ("host", "names"), [("0.0.0.0", []), ("192.168.1.5", []), ("127.0.0.1", ["lab.example.edu"])]
)
def test_another_address_is_refused_without_a_token(host, names):
    with pytest.raises(ValueError, match="--no-token"):
        _choose_access(host, 8765, names, token=False)
    assert _choose_access(host, 8765, names, token=True).token


def test_a_server_on_all_interfaces_is_reached_under_its_own_addresses():
    """http://0.0.0.0 cannot be opened; other machines use the address or name of this one."""
    assert find_addresses("192.168.1.5") == ["192.168.1.5"]
    for host in ("0.0.0.0", "::"):
        found = find_addresses(host)
        assert socket.gethostname() in found
        assert not {"0.0.0.0", "::", "127.0.0.1", "::1"} & set(found)
        access = Access.for_token(host, 8765, [], "secret-token")
        assert {f"{format_host(one)}:8765" for one in found} <= access.hosts
        assert {f"http://{format_host(one)}:8765" for one in found} <= access.origins
        assert "evil.example:8765" not in access.hosts


def test_other_machines_reach_a_server_on_all_interfaces(new_laboratory):
    """By the printed link, with the name of the server as Host and Origin."""
    with new_laboratory(
        lambda port: Access.for_token("0.0.0.0", port, [], "secret-token"), workers=1
    ) as wide:
        name = f"{find_addresses('0.0.0.0')[0]}:{wide.port}"
        ask = {"Host": name, "Origin": f"http://{name}"}
        assert httpx.get(wide.http + "/", headers=ask).status_code == 401
        entered = httpx.get(wide.http + "/enter?token=secret-token", headers=ask)
        assert entered.status_code == 200
        cookie = {"Cookie": "; ".join(f"{key}={value}" for key, value in entered.cookies.items())}
        assert httpx.get(wide.http + "/", headers=ask | cookie).status_code == 200


@pytest.mark.slow
def test_ctrl_c_closes_the_laboratory_without_a_traceback(tmp_path):
    """A terminal sends SIGINT to every process while workers are still importing."""
    if not hasattr(os, "killpg"):
        pytest.skip("there are no process groups here")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # Shells block SIGINT in background processes; a terminal does not.
    command = [sys.executable, "-m", "markone", "lab", "--port", str(port)]
    ours = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        running = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
        )
    finally:
        signal.signal(signal.SIGINT, ours)
    with running:
        assert "127.0.0.1" in running.stdout.readline()
        _wait_for_an_answer(port)
        os.killpg(running.pid, signal.SIGINT)
        output = running.stdout.read()
        running.wait()
    assert "Traceback" not in output
    assert "closed" in output
    assert running.returncode == 0


def _wait_for_an_answer(port):
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError("the laboratory did not start")


def test_a_token_is_the_default_also_on_this_machine(new_laboratory, monkeypatch, capsys):
    """The printed and opened link has it; without it every answer is 401 with a sentence."""
    asked, opened = [], []
    monkeypatch.setattr("markone.cli.lab_server.make_app", lambda access, **_: asked.append(access))
    monkeypatch.setattr("markone.cli.lab_server.configure_server", lambda *_: SimpleNamespace(run=list))
    monkeypatch.setattr(
        "threading.Timer", lambda _, act, args: SimpleNamespace(start=lambda: opened.extend(args))
    )
    assert run_command_line(["lab", "--open"]) == 0
    access = asked.pop()
    assert opened == [f"http://127.0.0.1:8765/enter?token={access.token}"]
    assert opened[0] in capsys.readouterr().out
    assert len(access.token) > 40
    with new_laboratory(lambda port: _choose_access("127.0.0.1", port, [], True), workers=1) as closed:
        answer = httpx.get(closed.http + "/")
        assert answer.status_code == 401
        assert "link" in answer.text
    assert run_command_line(["lab", "--no-token"]) == 0
    assert asked.pop().token is None


@pytest.mark.parametrize(
    ("half", "limit"),
    [
        (b"", "header_seconds"),
        (b"GET / HTTP/1.1\r\nHost: a", "header_seconds"),
        (b"POST /table HTTP/1.1\r\n{}Content-Length: 1000\r\n\r\nN;alpha", "exchange_seconds"),
        (b"POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n1", "exchange_seconds"),
    ],
)
def test_half_a_request_is_closed(laboratory, monkeypatch, caplog, half, limit):
    """Also if a byte is sent now and then; the limits of this test are short."""
    monkeypatch.setattr(TimedRequests, limit, 0.5)
    monkeypatch.setattr(logging.getLogger("uvicorn"), "propagate", True)
    origin = f"Host: 127.0.0.1:{laboratory.port}\r\nOrigin: {laboratory.origin}\r\n".encode()
    with socket.create_connection(("127.0.0.1", laboratory.port)) as client:
        client.sendall(half.replace(b"{}", origin))
        client.settimeout(0.1)
        laboratory.wait_for(lambda: _is_closed(client, b"x" if half else b""))
    assert httpx.get(laboratory.http + "/").status_code == 200
    assert not caplog.records


def _is_closed(client, drop):
    try:
        client.sendall(drop)
        return client.recv(65536) == b""
    except TimeoutError:
        return False
    except OSError:  # reset
        return True


def test_requests_in_time_keep_their_connection(laboratory, monkeypatch):
    """A new limit starts with each request, also of two that are sent at once."""
    monkeypatch.setattr(TimedRequests, "header_seconds", 3600.0)
    ask = f"GET /nowhere HTTP/1.1\r\nHost: 127.0.0.1:{laboratory.port}\r\n\r\n".encode()
    with socket.create_connection(("127.0.0.1", laboratory.port), timeout=60) as client:
        found = b""
        for _ in range(3):
            client.sendall(ask * 2)
            before = found.count(b"404 Not Found")
            while found.count(b"404 Not Found") < before + 2:
                received = client.recv(65536)
                assert received
                found += received


def test_folders_of_killed_laboratories_are_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    script = "import os; from markone.web.table.uploads import make_upload_folder as make; f = make(); "
    killed = [sys.executable, "-c", script + "print(f.name, flush=True); os._exit(1)"]
    left = Path(
        subprocess.run(
            killed, env=os.environ | {"TMPDIR": str(tmp_path)}, capture_output=True, text=True
        ).stdout.strip()
    )
    assert left.parent == tmp_path
    assert left.is_dir()
    (left / "table.csv").write_text("personal")
    (tmp_path / "other").mkdir()
    with make_upload_folder() as first, make_upload_folder() as second:
        assert not left.exists()
        assert {path.name for path in tmp_path.iterdir()} == {Path(first).name, Path(second).name, "other"}
        if os.name == "posix":
            assert Path(first).stat().st_mode & 0o077 == 0


def test_tokens_differ():
    assert _choose_access("0.0.0.0", 1, [], True).token != _choose_access("0.0.0.0", 1, [], True).token
