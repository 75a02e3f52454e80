// The steps of a student as sent by the server.

/** @param {{ name: string, title: string, line: boolean, gamma: number | null }} head */
export function studentHistory(head, P) {
  const rows = [];
  const memo = { t: 0, x: new Array(P).fill(0) };

  /** Strengths after t presentations: the last one sent for each example. */
  function strengthsAt(t) {
    if (t < memo.t) { memo.t = 0; memo.x.fill(0); }
    for (; memo.t < t; memo.t += 1) {
      const row = rows[memo.t + 1];
      if (row && row.mu >= 0 && row.x !== null) memo.x[row.mu] = row.x;
    }
    return memo.x.slice();
  }

  return {
    ...head,
    rows,
    add: (more) => rows.push(...more),
    /** The state after t presentations. */
    stateAt(t, size) {
      const wanted = head.line ? t : Math.floor(t / size) - 1;
      const index = Math.min(wanted, rows.length - 1);
      if (index < 0 && !head.line) return { row: rows[0] ?? null, before: null, index: 0, strengths: rows[0]?.strengths ?? null, finished: rows.length === 1 && rows[0].done };
      const row = rows[index] ?? null;
      return { row, before: rows[index - 1] ?? null, index, strengths: head.line ? strengthsAt(index) : row?.strengths ?? null, finished: Boolean(row?.done), learning: wanted === index };
    },
  };
}
