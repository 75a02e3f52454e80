"""python -m attack [names] [--seed S] [--cases N] [--families] [--write]: cases, false, exceptions, open.

Without --seed the seeds are those of the day; --families adds the counts of each family of sets. `coverage`
simulates the intervals; --write puts its table into docs/evaluation.md.
"""

import argparse
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

from attack.coverage import coverage_table, write_table
from attack.proofs import attack_kernels, attack_linear, attack_soft
from attack.refits import attack_least_squares, attack_leave_one_out
from attack.sets import FAMILIES
from attack.theory import attack_theory

Attack = Callable[[int, int], Iterator[str]]
# Name, attack, cases that take about half a minute.
ATTACKS: dict[str, tuple[Attack, int]] = {
    "linear": (attack_linear, 1500),
    "kernels": (attack_kernels, 1500),
    "soft": (attack_soft, 2000),
    "leave_one_out": (attack_leave_one_out, 300),
    "least_squares": (attack_least_squares, 3000),
    "theory": (attack_theory, 400),
}


def run_attack(name: str, seed: int, cases: int | None = None) -> Counter[str]:
    """Outcomes of one attack; an exception ends a case, and the next seed continues.

    Also counted, with a colon: outcomes by family of sets, places of what is false, exceptions by message.
    """
    attack, usual = ATTACKS[name]
    left, outcomes = cases or usual, Counter[str]()
    families = [] if name in ("leave_one_out", "theory") else [family.__name__ for family in FAMILIES]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        while left > 0:
            k = 0
            try:
                for outcome in attack(seed, left):
                    outcomes[outcome] += 1
                    if families:
                        outcomes[f"{families[k % len(families)]}: {outcome}"] += 1
                    if outcome == "false":
                        outcomes[f"false: seed {seed}, case {k}"] += 1
                    k, left = k + 1, left - 1
            except Exception as error:  # every kind counts
                outcomes["exception"] += 1
                outcomes[f"exception: seed {seed}, case {k}: {type(error).__name__}: {error}"[:180]] += 1
                left, seed = left - 1, seed + 1
    return outcomes


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m attack", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*ATTACKS, "coverage", []])
    parser.add_argument("--seed", type=int)
    parser.add_argument("--cases", type=int)
    parser.add_argument("--families", action="store_true")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    if given.names == ["coverage"]:
        table = coverage_table(given.cases or 2000, given.seed or 0)
        print(table)
        if given.write:
            write_table(table)
        return 0
    seed = int(datetime.now(UTC).strftime("%Y%m%d")) if given.seed is None else given.seed
    print(
        f"{'attack':16} {'seed':>9} {'cases':>6} {'false':>6} {'exceptions':>11} {'undecided':>10}  seconds"
    )
    lost = 0
    for name in given.names or ATTACKS:
        began = time.monotonic()
        found = run_attack(name, seed, given.cases)
        counts = [found[kind] for kind in ("good", "false", "exception", "undecided")]
        lost += counts[1] + counts[2]
        numbers = f"{sum(counts):6} {counts[1]:6} {counts[2]:11} {counts[3]:10}"
        print(f"{name:16} {seed:9} {numbers} {time.monotonic() - began:8.0f}", flush=True)
        for line in sorted(line for line in found if ":" in line):
            if given.families or line.startswith(("exception:", "false:")):
                print(f"  {line} {found[line]}")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
