"""python -m drills [names]: run the drills and print drill, tries, survived, lost."""

import sys
import tempfile
import time
from pathlib import Path

from drills import compiled, damage, drafts, environment, kills, load, mpi, tasks, web

DRILLS = {**damage.DRILLS, **kills.DRILLS, **mpi.DRILLS, **environment.DRILLS, **tasks.DRILLS, **load.DRILLS}
DRILLS |= {**drafts.DRILLS, **compiled.DRILLS, **web.DRILLS}

# Reasons why a drill cannot be run on this machine.
SKIPPED = {
    **dict.fromkeys(mpi.DRILLS, mpi.skip_reason),
    "no space for compiled code": compiled.skip_reason,
    "hostile names in a browser": web.skip_without_browser,
    "--host in a network namespace": web.skip_without_namespace,
}


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in DRILLS]
    if unknown:
        print(f"There is no drill {', '.join(unknown)}. There are: {', '.join(DRILLS)}.", file=sys.stderr)
        return 2
    print(f"{'drill':44} {'tries':>6} {'survived':>9} {'lost':>5} {'seconds':>8}")
    lost = 0
    for name in names or DRILLS:
        if reason := SKIPPED.get(name, lambda: "")():
            print(f"{name:44} {0:6} {'–':>9} {'–':>5} {'–':>8}  skipped: {reason}", flush=True)
            continue
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            outcomes = [bool(good) for good in DRILLS[name](Path(folder))]
        bad = outcomes.count(False)
        lost += bad
        seconds = time.monotonic() - began
        print(f"{name:44} {len(outcomes):6} {len(outcomes) - bad:9} {bad:5} {seconds:8.0f}", flush=True)
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
