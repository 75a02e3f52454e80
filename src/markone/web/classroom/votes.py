"""A class: who joined, the question that is open, and all predictions. Nothing is written to disk."""

import csv
import io
import secrets
from dataclasses import dataclass, field
from typing import Any

# Without letters and digits that look alike.
LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
COLOURS = "amber black blue brown copper golden green grey ivory orange pink purple red silver violet white"
ANIMALS = (
    "ant bat bear bee crab crane deer duck eagle finch fox frog goat gull hare hawk heron horse kite lark "
    "lynx mole moth newt otter owl seal swan toad trout wolf wren"
)
PSEUDONYMS = [f"{colour} {animal}" for animal in ANIMALS.split() for colour in COLOURS.split()]
MOST_STUDENTS = 400


class ClassFull(Exception):
    """All places of the class are taken."""


@dataclass
class Question:
    lesson: str
    text: str
    options: list[str]
    answer: int
    because: str
    revealed: bool = False
    # Chosen option by student.
    votes: dict[int, int] = field(default_factory=dict)

    @property
    def counts(self) -> list[int]:
        chosen = list(self.votes.values())
        return [chosen.count(k) for k in range(len(self.options))]


class Votes:
    """A class with its code. A student has a number, a pseudonym, and a key that only the phone knows."""

    def __init__(self) -> None:
        self.code = "".join(secrets.choice(LETTERS) for _ in range(6))
        self.students: dict[str, int] = {}
        names = list(PSEUDONYMS)
        secrets.SystemRandom().shuffle(names)
        self.names = names[:MOST_STUDENTS]
        self.questions: list[Question] = []

    @property
    def question(self) -> Question | None:
        return self.questions[-1] if self.questions else None

    def join(self, key: str | None) -> str:
        """Return the key of a student: the given one if it is known, else that of a new student."""
        if key in self.students:
            return str(key)
        if len(self.students) >= MOST_STUDENTS:
            raise ClassFull
        new = secrets.token_urlsafe(12)
        self.students[new] = len(self.students)
        return new

    def ask(self, question: Question) -> None:
        self.questions.append(question)

    def vote(self, key: str, number: int, choice: int) -> bool:
        """Count a prediction, once for each student, while the question is open."""
        question, student = self.question, self.students[key]
        is_open = question is not None and not question.revealed and number == len(self.questions)
        if question is None or not is_open or student in question.votes or choice >= len(question.options):
            return False
        question.votes[student] = choice
        return True

    def standings(self) -> list[dict[str, Any]]:
        """How many predictions each student made and how many were right, of the questions revealed."""
        shown = [one for one in self.questions if one.revealed]
        return [
            {
                "name": self.names[student],
                "made": sum(student in one.votes for one in shown),
                "right": sum(one.votes.get(student) == one.answer for one in shown),
            }
            for student in self.students.values()
        ]

    def to_csv(self) -> str:
        """One row for each prediction."""
        text = io.StringIO()
        rows = csv.writer(text, lineterminator="\n")
        rows.writerow(["student", "lesson", "question", "prediction", "right"])
        for one in self.questions:
            for student, choice in one.votes.items():
                right = int(choice == one.answer)
                rows.writerow([self.names[student], one.lesson, one.text, one.options[choice], right])
        return text.getvalue()
