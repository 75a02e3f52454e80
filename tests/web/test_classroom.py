"""A class: phones join by a code, predictions count once, and the answer is sent when it is revealed."""

import asyncio
import dataclasses
import json
import re

import httpx
import pytest

websockets = pytest.importorskip("websockets", reason="the laboratory needs markone[web]")

from conftest import Page  # noqa: E402
from markone.web.classroom.routes import PUBLIC, Classroom  # noqa: E402
from markone.web.classroom.votes import MOST_STUDENTS, ClassFull, Question, Votes  # noqa: E402
from markone.web.security import Access  # noqa: E402

ADDRESS = "http://lecture.example/class"
ASKED = {
    "kind": "ask",
    "lesson": "roc",
    "text": "Which?",
    "options": ["One", "Two"],
    "answer": 1,
    "because": "So.",
}


def fetch(address, **options):
    """Wait longer than the five seconds of httpx: the machine may be busy."""
    return httpx.get(address, timeout=60, **options)


@pytest.fixture
def served(new_laboratory):
    """A closed laboratory with a class: with the code students reach the class and nothing else."""
    classroom = Classroom(ADDRESS)

    def access(port):
        return dataclasses.replace(Access.for_token("127.0.0.1", port, [], "secret-token"), public=PUBLIC)

    with new_laboratory(access, workers=1, classroom=classroom) as running:
        running.code = classroom.votes.code
        yield running


def socket(served, name, cookie=None):
    headers = {"Cookie": cookie} if cookie else {}
    address = f"ws://127.0.0.1:{served.port}/class/{name}"
    return websockets.connect(address, origin=served.origin, additional_headers=headers)


def lead_cookie(served):
    return fetch(served.http + "/enter?token=secret-token").headers["set-cookie"].partition(";")[0]


async def join(socket, code, key=None):
    page = Page(socket)
    await page.say({"kind": "join", "code": code, "key": key})
    return page, await page.hear("joined", "refused")


def test_a_vote_from_its_question_to_its_answer(served):
    cookie = lead_cookie(served)

    async def talk():
        async with (
            socket(served, "lead", cookie) as lead,
            socket(served, "student") as first,
            socket(served, "student") as second,
        ):
            lead, (one, joined), (two, _) = (
                Page(lead),
                await join(first, served.code),
                await join(second, served.code),
            )
            assert (await one.hear("wait", "question"))["kind"] == "wait"
            await two.hear("wait")
            await lead.say(ASKED)
            seen = await one.hear("question")
            assert seen == {
                "kind": "question",
                "number": 1,
                "text": "Which?",
                "options": ["One", "Two"],
                "chosen": None,
            }
            # The second vote of a phone does not count.
            for choice in (1, 0):
                await one.say({"kind": "vote", "number": 1, "choice": choice})
                assert (await one.hear("question"))["chosen"] == 1
            await two.say({"kind": "vote", "number": 1, "choice": 0})
            while (counts := await lead.hear("counts"))["counts"] != [1, 1]:
                pass
            assert counts["standings"] == [
                {"name": s["name"], "made": 0, "right": 0} for s in counts["standings"]
            ]
            await lead.say({"kind": "reveal"})
            while "answer" not in (seen := await one.hear("question")):
                pass
            assert (seen["answer"], seen["because"]) == (1, "So.")
            while sum(s["made"] for s in (await lead.hear("counts"))["standings"]) != 2:
                pass
            # Predictions after the answer do not count; the same phone comes back under its name.
            async with socket(served, "student") as again:
                page, back = await join(again, served.code, joined["key"])
                assert (back["name"], (await page.hear("question"))["chosen"]) == (joined["name"], 1)

    served.talk(asyncio.wait_for(talk(), 60))
    table = fetch(served.http + "/class/answers.csv", headers={"Cookie": cookie}).text.splitlines()
    assert len(table) == 3
    assert sum(row.endswith(",1") for row in table) == 1


def test_students_reach_the_class_and_nothing_else(served):
    for path in ("/class", "/class/page.js", "/class/page.css", "/static/favicon.svg"):
        assert fetch(served.http + path).status_code == 200
    for path in ("/", "/catalogue.json", "/class/answers.csv", "/static/main.js", "/class/../catalogue.json"):
        assert fetch(served.http + path).status_code == 401
    assert fetch(served.http + "/class", headers={"Host": "evil.example"}).status_code == 400

    async def talk():
        with pytest.raises(websockets.exceptions.InvalidStatus):
            async with socket(served, "lead"):
                pass
        async with socket(served, "student") as one:
            assert "not right" in (await join(one, "ABCDEF"))[1]["sentence"]
        for message in ("x", json.dumps({"kind": "join", "code": "A" * 5000}), json.dumps(ASKED)):
            async with socket(served, "student") as one:
                await one.send(message)
                assert (await Page(one).hear("refused", "joined"))["kind"] == "refused"

    served.talk(asyncio.wait_for(talk(), 60))


def test_a_class_has_a_limit_and_its_names_differ():
    votes = Votes()
    keys = [votes.join(None) for _ in range(MOST_STUDENTS)]
    assert len(set(votes.names)) == MOST_STUDENTS
    assert votes.join(keys[3]) == keys[3]
    with pytest.raises(ClassFull):
        votes.join(None)
    votes.ask(Question("roc", "Which?", ["One", "Two"], 1, "So."))
    assert votes.vote(keys[0], 1, 1)
    assert not votes.vote(keys[0], 1, 0)
    assert not votes.vote(keys[1], 2, 0)
    assert not votes.vote(keys[1], 1, 2)
    assert votes.question.counts == [0, 1]


def test_a_laboratory_without_a_class_has_no_class_pages(laboratory):
    assert fetch(laboratory.http + "/class").status_code == 404
    assert fetch(laboratory.http + "/catalogue.json").json()["class"] is None


def test_the_qr_code_is_the_link_to_join_and_only_for_the_lecturer(served):
    import segno

    assert fetch(served.http + "/class/join.svg").status_code == 401
    answer = fetch(served.http + "/class/join.svg", headers={"Cookie": lead_cookie(served)})
    assert answer.headers["content-type"] == "image/svg+xml"
    modules = segno.make(f"{ADDRESS}?code={served.code}", micro=False).svg_inline(omitsize=True)
    assert re.search(' d="(M4 .*?)"', modules)[1] in answer.text


def test_the_lecturer_and_a_phone_in_a_browser(browser, new_laboratory, new_visit):
    with new_laboratory(workers=1, classroom=Classroom(ADDRESS)) as running:
        lead = new_visit(browser, running).open(
            "#/judging?lesson=roc", "document.querySelector('.class-lead')"
        )
        assert "lecture.example/class" in lead.page.locator(".class-lead").inner_text()
        code = lead.page.locator(".class-lead .code").inner_text()
        lead.until("document.querySelector('.class-lead .qr img').naturalWidth > 0")
        phone = new_visit(browser, running, viewport={"width": 390, "height": 700})
        phone.open(f"class?code={code}", "document.querySelector('h1')?.textContent === 'You have joined'")
        lead.click("Ask the class")
        phone.page.get_by_role("button", name="Both rise").click()
        lead.until("document.querySelector('.votes b')?.textContent === '1'")
        assert phone.page.locator(".right").count() == 0
        lead.page.locator(".predict .editor button").first.click()
        phone.until("document.querySelector('.right')?.textContent === 'Both rise'")
        phone.close()
        lead.close()
