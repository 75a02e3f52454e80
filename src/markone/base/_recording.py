"""Log of compiled training loops: bounded in memory, evenly spread over the whole run.

Event e = 0, 1, 2, ... is kept if e is a multiple of the stride. When the rows are full, every second one is
dropped and the stride doubles. The last event is always available, in one extra row.
"""

from collections import namedtuple

from markone.numerics.compiling import part

STEP, EXAMPLE, BEFORE, AFTER, CHANGE, UPDATES = 0, 1, 2, 3, 4, 5
COLUMNS = 6
EVENTS, KEPT, STRIDE, STEPS, MADE, ALL = 0, 1, 2, 3, 4, 5

# rows (K + 1, COLUMNS), first and second (K + 1, n): snapshots of two vectors, n = 0 where one is not kept;
# clock: events, rows kept, stride, steps, updates, and whether steps without an update are events too.
Log = namedtuple("Log", ["rows", "first", "second", "clock"])


@part
def copy_log_row(log, source, target):
    for j in range(COLUMNS):
        log.rows[target, j] = log.rows[source, j]
    for j in range(log.first.shape[1]):
        log.first[target, j] = log.first[source, j]
    for j in range(log.second.shape[1]):
        log.second[target, j] = log.second[source, j]


@part
def record_step(log, mu, before, after, change, first, second):
    """Record one step: example mu, its potential before and after, the change of its strength."""
    clock, last = log.clock, log.rows.shape[0] - 1
    clock[STEPS] += 1
    if change != 0.0:
        clock[MADE] += 1
    if change != 0.0 or clock[ALL] == 1:
        row = log.rows[last]
        row[STEP], row[EXAMPLE] = clock[STEPS], mu
        row[BEFORE], row[AFTER] = before, after
        row[CHANGE], row[UPDATES] = change, clock[MADE]
        for j in range(log.first.shape[1]):
            log.first[last, j] = first[j]
        for j in range(log.second.shape[1]):
            log.second[last, j] = second[j]
        event = clock[EVENTS]
        clock[EVENTS] = event + 1
        if event % clock[STRIDE] == 0 and clock[KEPT] == last:
            clock[KEPT] = (last + 1) // 2
            for k in range(1, clock[KEPT]):
                copy_log_row(log, 2 * k, k)
            clock[STRIDE] *= 2
        if event % clock[STRIDE] == 0:
            copy_log_row(log, last, clock[KEPT])
            clock[KEPT] += 1
