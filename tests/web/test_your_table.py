"""Your table: the report is that of `markone fit`, and no text sent by a browser is used as a path."""

import json
import re
import time
import warnings
from pathlib import Path

import httpx
import numpy as np
import pytest
from sklearn.preprocessing import StandardScaler

pytest.importorskip("starlette", reason="the laboratory needs markone[web]")

from markone import GLVQ
from markone.data import load
from markone.tables import ColumnOptions, FitRequest, fit, load_model
from markone.tables.report.headline import class_headline
from markone.web.screens import find_screen
from markone.web.table import fit_process, fit_slot, uploads
from markone.web.table.preview import MOST_COLUMNS, MOST_ROWS, read_checked_table

SCREEN = find_screen("table")
SMALL = {"model": "hebb", "cv": "1x5", "go": True}


def frames(**values):
    return SCREEN.frames(SCREEN.state.model_validate_json(json.dumps(values)))


def last_of(stream):
    for frame in stream:
        last = frame
        time.sleep(0.02)
    return last


def own_table(rows=40):
    """Two numbers, a text, a missing value, and a label that looks like markup."""
    draw = np.random.default_rng(3)
    lines = ["length,width,colour,kind"]
    for k in range(rows):
        x = draw.normal(size=2) + 2 * (k % 2)
        width = "" if k == 7 else f"{x[1]:.3f}"
        lines.append(f"{x[0]:.3f},{width},{'red' if k % 3 else 'blue'},{'<b>yes</b>' if k % 2 else 'no'}")
    return "\n".join(lines).encode()


@pytest.fixture
def kept(tmp_path, monkeypatch):
    place = uploads.Uploads(tmp_path)
    monkeypatch.setattr(uploads, "_here", [place])
    return place


def test_a_preview_is_shown_before_the_fit(kept):
    key = kept.store_table(own_table())
    (frame,) = frames(data="own", table=key, name="mine.csv")
    seen = frame["preview"]
    assert seen["rows"] == 40
    assert [(c["name"], c["kind"], c["missing"]) for c in seen["columns"]] == [
        ("length", "numbers", 0),
        ("width", "numbers", 1),
        ("colour", "text", 0),
        ("kind", "text", 0),
    ]
    assert seen["first"][1][3] == "<b>yes</b>"
    assert seen["target"] is None
    assert frame["command"].startswith("markone fit mine.csv --cv 5x10")


@pytest.mark.parametrize("content", [b"a,b\n1,2\n3\n", b"a\n", bytes(range(256)), b'a,b\n"1,2\n3,4\n'])
def test_messages_name_the_file_as_the_user_did(kept, content):
    key = kept.store_table(content)
    with pytest.raises(ValueError, match=r"mine\.csv") as error:
        list(frames(data="own", table=key, name="mine.csv"))
    assert key not in str(error.value)


def test_the_fit_is_the_one_of_the_command_line(kept):
    found = last_of(frames(data="iris", **SMALL))["result"]
    expected = fit(FitRequest("iris", model="hebb", cv="1x5"))
    assert found["headline"] == class_headline(expected)
    saved = load_model(kept.result_file(found["key"], "model"))
    assert np.array_equal(saved.pipeline["model"].coef_, expected.pipeline["model"].coef_)
    report = kept.result_file(found["key"], "report").read_text()
    assert "markone fit iris --model hebb" in report
    # The same request again is answered from the stored result.
    assert [set(frame) for frame in frames(data="iris", **SMALL)][1:] == [{"result", "last"}]


def test_the_report_has_the_name_of_the_uploaded_file(kept):
    key = kept.store_table(own_table())
    asked = {"data": "own", "table": key, "name": "mine.csv", "target": "kind", "missing": "drop"}
    found = last_of(frames(**asked, **SMALL))["result"]
    path = kept.tables / f"{key}.csv"
    options = ColumnOptions(target="kind", missing="drop")
    assert found["headline"] == class_headline(fit(FitRequest(str(path), "hebb", options, cv="1x5")))
    report = kept.result_file(found["key"], "report").read_text()
    assert "mine.csv" in report
    assert str(kept.folder) not in report
    assert "<b>yes</b>" not in report


def test_a_refusal_is_the_readers_sentence_without_a_path(kept):
    key = kept.store_table(own_table())
    with pytest.raises(ValueError, match=r"missing") as refused:
        last_of(frames(data="own", table=key, name="mine.csv", target="kind", **SMALL))
    assert str(kept.folder) not in str(refused.value)
    assert not list(kept.results.iterdir())


def test_rows_and_columns_have_a_limit(tmp_path):
    wide, long = tmp_path / "wide.csv", tmp_path / "long.csv"
    wide.write_text(",".join(f"c{k}" for k in range(MOST_COLUMNS + 1)) + "\n" + "1," * MOST_COLUMNS + "1\n")
    long.write_text("a,b\n" + "1,2\n" * (MOST_ROWS + 1))
    with pytest.raises(ValueError, match=r"wide has 501 columns"):
        read_checked_table(str(wide), "wide")
    with pytest.raises(ValueError, match=r"long has 50001 rows"):
        read_checked_table(str(long), "long")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"data": "own"}, "Drop a file"),
        ({"data": "own", "table": "0" * 64}, "Drop the file again"),
        ({"go": True, "settings": "n_jobs=64"}, "n_jobs=64"),
        ({"go": True, "settings": "colour=red"}, "no parameter 'colour'"),
    ],
)
def test_wrong_requests_are_answered_in_sentences(kept, values, words):
    with pytest.raises(ValueError, match=words):
        last_of(frames(**values))


@pytest.mark.parametrize("key", ["../results", "/etc/passwd", "0" * 63, "A" * 64, "..", ""])
def test_only_a_digest_is_a_key(key):
    with pytest.raises(ValueError, match="table"):
        frames(data="own", table=key)


def test_the_oldest_tables_are_removed(kept, monkeypatch):
    monkeypatch.setattr(uploads, "MOST_TABLES", 3)
    keys = [kept.store_table(bytes([65 + k])) for k in range(5)]
    assert sorted(path.stem for path in kept.tables.iterdir()) == sorted(keys[2:])
    with pytest.raises(ValueError, match="Drop the file again"):
        kept.table(keys[0])


def test_closing_a_page_ends_its_fit(kept):
    stream = frames(data="digits", model="gmlvq", cv="10x10", go=True)
    next(stream), next(stream)
    (fit_,) = fit_slot._current
    assert fit_.is_running
    stream.close()
    assert fit_.process.returncode is not None
    assert not list(kept.results.iterdir())


def test_one_fit_at_a_time_the_other_waits(kept):
    first = frames(data="digits", model="gmlvq", cv="10x10", go=True)
    next(first), next(first)
    second = frames(data="iris", **SMALL)
    next(second)
    assert next(second) == {"waiting": True}
    first.close()
    assert next(second)["waiting"] is False
    second.close()


def test_folds_beyond_the_budget_are_refused_with_a_suggestion(monkeypatch):
    clock = iter([0.0, 10.0])
    monkeypatch.setattr(fit_process.time, "process_time", lambda: next(clock))
    monkeypatch.setattr(fit_process, "send_line", lambda **words: None)
    with pytest.raises(fit_process.FitTooLong, match=r"510 s.*limit is 120 s. About 9 folds would fit"):
        fit_process.make_fit_progress("5x10")(1, 50)


def test_uploads_and_results_over_http(laboratory):
    headers = {"Origin": laboratory.origin}
    assert httpx.post(laboratory.http + "/table", content=b"a,b\n1,2\n").status_code == 403
    foreign = {"Origin": "http://evil.example"}
    assert httpx.post(laboratory.http + "/table", content=b"a", headers=foreign).status_code == 403
    large = httpx.post(laboratory.http + "/table", content=b"x" * 5_000_001, headers=headers)
    assert large.status_code == 413
    assert "5 MB" in large.text
    assert httpx.post(laboratory.http + "/table", content=b"", headers=headers).status_code == 400
    sent = httpx.post(laboratory.http + "/table", content=own_table(), headers=headers)
    asked = {"data": "own", "table": sent.json()["key"], "target": "kind", "missing": "drop"}
    found = laboratory.frames("table", asked | SMALL, most=100_000)[-1]["result"]
    report = httpx.get(f"{laboratory.http}/results/{found['key']}/report")
    policy = report.headers["content-security-policy"]
    assert "sandbox;" in policy
    assert "default-src 'none'" in policy
    assert "script" not in policy
    assert report.headers["x-content-type-options"] == "nosniff"
    model = httpx.get(f"{laboratory.http}/results/{found['key']}/model")
    assert model.headers["content-disposition"] == 'attachment; filename="model.skops"'
    assert model.content[:2] == b"PK"


@pytest.mark.parametrize("path", ["x/report", f"{'0' * 64}/report", "../tables/report", "..%2ftables/report"])
def test_no_address_leads_to_another_file(laboratory, path):
    answer = httpx.get(f"{laboratory.http}/results/{path}")
    assert answer.status_code == 404


def test_fit_of_an_uploaded_table_in_the_browser(visit):
    """Upload, choose the target, fit, read the report, download the model; the link shows it again."""
    visitor = visit(accept_downloads=True).open("#/table", "document.querySelector('.look table')")
    page = visitor.page
    page.locator("#table-file").set_input_files(
        {"name": "<mine>.csv", "mimeType": "text/csv", "buffer": own_table()}
    )
    visitor.until("document.querySelector('.facts').textContent.includes('<mine>.csv has 40 rows')")
    assert page.get_by_role("button", name="Fit", exact=True).is_disabled()
    page.get_by_label("To be predicted").select_option("kind")
    page.get_by_label("Missing values").select_option(label="leave the row out")
    page.get_by_label("Model", exact=True).select_option("hebb")
    page.get_by_label("Folds", exact=True).select_option(label="5 folds, once")
    visitor.click("Fit")
    visitor.until("document.querySelector('iframe.page')")
    shown = page.locator(".facts").inner_text()
    inner = page.frame_locator("iframe.page")
    assert "Of rows it has not seen, hebb" in shown
    assert shown in re.sub(r"\s+", " ", inner.locator("body").inner_text())
    assert "<mine>.csv" in inner.locator("h1").inner_text()
    with page.expect_download() as saved:
        page.get_by_role("link", name="Download the model").click()
    assert Path(saved.value.path()).read_bytes()[:2] == b"PK"
    again = visit().open("#" + page.url.partition("#")[2], "document.querySelector('iframe.page')")
    assert again.page.locator(".facts").inner_text() == shown
    # Another setting removes the old report.
    page.get_by_label("Scaling", exact=True).select_option(label="none")
    visitor.until("!document.querySelector('iframe.page')")


def test_a_file_that_is_no_table_is_refused_in_a_sentence(visit):
    visitor = visit().open("#/table", "document.querySelector('.look table')")
    visitor.page.locator("#table-file").set_input_files(
        {"name": "x.csv", "mimeType": "text/csv", "buffer": bytes(range(256)) * 8}
    )
    visitor.until("!document.querySelector('.notice').hidden")
    assert visitor.page.locator(".notice").inner_text().strip()


def test_prototypes_of_an_uploaded_file_equal_those_of_the_library(kept):
    lines = [line for line in own_table().decode().splitlines() if ",," not in line]
    key = kept.store_table(
        "\n".join(",".join(line.split(",")[i] for i in (0, 1, 3)) for line in lines).encode()
    )
    screen = find_screen("prototypes")
    asked = {"data": "own", "table": key, "model": "glvq"}
    (only,) = screen.frames(screen.state.model_validate_json(json.dumps(asked)))
    assert only == {"columns": ["length", "width", "kind"], "last": True}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        *_, step, _ = screen.frames(screen.state.model_validate_json(json.dumps(asked | {"target": "kind"})))
        table = load(kept.table(key), target="kind")
        X = StandardScaler().fit_transform(table.X)
        model = GLVQ(max_iter=30, random_state=0).fit(X, table.y)
    assert step["step"]["errors"] == int(np.sum(model.predict(X) != table.y))


def test_prototypes_refuse_text_columns(kept):
    asked = {"data": "own", "table": kept.store_table(own_table()), "target": "kind"}
    screen = find_screen("prototypes")
    with pytest.raises(ValueError, match="'colour' holds text"):
        list(screen.frames(screen.state.model_validate_json(json.dumps(asked))))
