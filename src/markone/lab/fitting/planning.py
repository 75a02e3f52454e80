"""Make the plan and say in sentences what every column was taken for."""

from __future__ import annotations

from collections import Counter

from markone.data.dialect import BadTable
from markone.lab.fitting.columns import LEFT_OUT, NUMBER, TEXT, YES_NO, finite
from markone.lab.fitting.completing import complete
from markone.lab.fitting.plan import WAYS, Plan, Wishes, column_of, find_target, labelled, shown_levels
from markone.lab.fitting.raw import Raw, short
from markone.numerics.text import count

MOST_CLASSES = 100


def make(raw: Raw, wishes: Wishes) -> tuple[Plan, Raw, list[str]]:
    """The plan, the rows that remain, and what was done in sentences."""
    target = find_target(raw, wishes)
    if wishes.missing not in WAYS:
        raise BadTable(f"--missing must be one of {', '.join(WAYS)}, not {wishes.missing!r}.")
    notes = list(raw.notes)
    raw = labelled(raw, target, wishes.missing, notes)
    columns = [column_of(raw, name, wishes) for name in raw.columns if name != target]
    plan = Plan(target, columns, wishes.missing)
    if not plan.used:
        reasons = "; ".join(f"{c.name!r}: {c.reason}" for c in columns[:5])
        raise BadTable(
            f"No column of {raw.source} is left as an input ({reasons or 'there is only the target'})."
        )
    raw = complete(raw, plan, notes)
    classes(raw, plan)
    return plan, raw, notes + sentences(raw, plan)


def classes(raw: Raw, plan: Plan) -> dict[str, int]:
    """Rows of each class, most frequent first, or why there is nothing to classify."""
    found = dict(Counter(raw.columns[plan.target]).most_common())
    if len(found) < 2:
        raise BadTable(
            f"The target {plan.target!r} has only one class, {next(iter(found))!r}, in "
            f"{count(len(raw), 'row')}: there is nothing to tell apart."
        )
    twice(raw, plan.target, list(found))
    numbers = all(finite(raw.number(label)) for label in found)
    fractions = numbers and any(not float(raw.number(label)).is_integer() for label in found)
    if (
        len(found) > MOST_CLASSES
        or (len(found) > 20 and len(found) > len(raw) / 2)
        or (fractions and len(found) > 10)
    ):
        raise BadTable(
            f"The target {plan.target!r} has {len(found)} different values in {len(raw)} rows "
            f"({short(list(found), 4)}): these are no classes. `markone fit` classifies; cut the numbers "
            "into classes first."
        )
    return found


def twice(raw: Raw, target: str, labels: list[str]) -> None:
    """Refuse 1 and 1.0 as two classes: a slip of some program that wrote the table."""
    seen: dict[float, str] = {}
    for label in labels:
        if finite(raw.number(label)):
            first = seen.setdefault(float(raw.number(label)), label)
            if first != label:
                raise BadTable(
                    f"The target {target!r} writes the same number in two ways ({first!r} and {label!r}), "
                    "which would be two classes. Write it in one."
                )


def sentences(raw: Raw, plan: Plan) -> list[str]:
    """What each column was taken for."""
    notes = []
    numbers, yes_no = plan.of_kind(NUMBER), plan.of_kind(YES_NO)
    if numbers:
        notes.append(f"{count(len(numbers), 'column')} of numbers: {short([c.name for c in numbers])}.")
    if yes_no:
        notes.append(f"Yes or no, as 1 and 0: {short([c.name for c in yes_no])}.")
    for column in plan.of_kind(TEXT):
        new = shown_levels(column)
        inputs = "one 0/1 input" if len(new) == 1 else f"{len(new)} 0/1 inputs"
        notes.append(f"Text column {column.name!r} became {inputs}: {short(new, 8)}.")
    notes += [f"Left out: column {c.name!r}, because {c.reason}." for c in plan.of_kind(LEFT_OUT)]
    found = classes(raw, plan)
    words = short([f"{label} {n}" for label, n in found.items()], 20)
    notes.append(f"Target {plan.target!r}: {len(found)} classes, rows of each: {words}.")
    return notes
