"""Download of the semeion digits from a local server: good, truncated, wrong, too long and slow files."""

import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from markone.data import fetch_semeion, find_semeion, load
from markone.data.semeion import BYTES, FILE, semeion_file_content


@pytest.fixture
def nowhere(monkeypatch, tmp_path):
    """Neither MARKONE_DATA nor a file in the data home."""
    monkeypatch.delenv("MARKONE_DATA", raising=False)
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def serve():
    """Serve bytes at a URL of this machine, each part after a pause."""
    servers = []

    def start(parts, announced=None, pause=0.0, status=200):
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(status)
                self.send_header("Content-Length", str(announced or sum(map(len, parts))))
                self.end_headers()
                try:
                    for part in parts:
                        time.sleep(pause)
                        self.wfile.write(part)
                        self.wfile.flush()
                except OSError:
                    pass  # the client has given up

            def log_message(self, *args):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}/{FILE}"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def test_a_good_file_is_kept_in_the_data_home_and_read(nowhere, serve, semeion_path):
    content = semeion_path.read_bytes()
    path = fetch_semeion(url=serve([content]))
    assert path == nowhere / FILE
    assert path.read_bytes() == content
    assert find_semeion() == path
    assert load("semeion").X.shape == (1593, 256)
    # The second time nothing is downloaded.
    assert fetch_semeion(url="http://127.0.0.1:9/none") == path


def test_the_file_can_be_written_from_its_rows(semeion, semeion_path):
    assert semeion_file_content(semeion.X, semeion.y) == semeion_path.read_bytes()


@pytest.mark.parametrize(
    ("parts", "more", "sentence"),
    [
        ([b"0" * 1000], {}, f"sent 1000 of {BYTES} bytes"),
        ([b"0" * 1000], {"announced": BYTES}, "could not be read|sent 1000 of"),
        ([b"0" * BYTES], {}, "is not the semeion file of UCI: its md5 is"),
        ([b"0" * (BYTES + 10)], {}, f"sends more than the {BYTES} bytes"),
        ([b"0" * 100] * 50, {"pause": 0.1}, r"sent \d+ bytes in 0.5 s: too slow"),
        ([b"gone"], {"status": 404}, "could not be read: HTTP Error 404"),
    ],
)
def test_other_files_are_refused_and_leave_nothing_behind(nowhere, serve, parts, more, sentence):
    with pytest.raises(ValueError, match=sentence) as error:
        fetch_semeion(url=serve(parts, **more), timeout=0.5 if "pause" in more else 20)
    assert "markone data semeion" in str(error.value)
    assert not nowhere.exists()
    assert find_semeion() is None


def test_the_second_source_is_openml(nowhere, monkeypatch, semeion, semeion_path):
    monkeypatch.setattr("markone.data.semeion.UCI", "http://127.0.0.1:9/none")
    monkeypatch.setattr("markone.data.semeion.fetch_openml_semeion", lambda: semeion)
    assert fetch_semeion(timeout=5).read_bytes() == semeion_path.read_bytes()


def test_rows_in_another_order_are_no_file_of_uci(nowhere, monkeypatch, semeion):
    from dataclasses import replace

    other = replace(semeion, X=np.ascontiguousarray(semeion.X[::-1]), y=semeion.y[::-1].copy())
    monkeypatch.setattr("markone.data.semeion.UCI", "http://127.0.0.1:9/none")
    monkeypatch.setattr("markone.data.semeion.fetch_openml_semeion", lambda: other)
    with pytest.raises(ValueError, match=r"openml\.org is not the semeion file"):
        fetch_semeion(timeout=5)
