// Whether a line classifies all points of the plane correctly, with a proof either way.

const dot = (a, b) => a.reduce((sum, value, k) => sum + value * b[k], 0);
const TINY = 1e-9;

/** Solve the symmetric system A x = b; null if it is singular. */
function solveSystem(A, b) {
  const rows = A.map((row, k) => [...row, b[k]]), n = rows.length;
  for (let k = 0; k < n; k += 1) {
    const pivot = rows.slice(k).reduce((best, row, j) => (Math.abs(row[k]) > Math.abs(rows[best][k]) ? k + j : best), k);
    [rows[k], rows[pivot]] = [rows[pivot], rows[k]];
    if (Math.abs(rows[k][k]) < 1e-14) return null;
    for (let i = 0; i < n; i += 1) if (i !== k) { const f = rows[i][k] / rows[k][k]; rows[i] = rows[i].map((value, j) => value - f * rows[k][j]); }
  }
  return rows.map((row, k) => row[n] / row[k]);
}

/** The point of the plane through all of `some` that is nearest to the origin, if it lies between them. */
function nearestBetween(some) {
  const [first, ...others] = some, sides = others.map((one) => one.z.map((value, k) => value - first.z[k]));
  const found = solveSystem(sides.map((a) => sides.map((b) => dot(a, b))), sides.map((a) => -dot(a, first.z)));
  if (!found || found.some((value) => value <= 0) || found.reduce((a, b) => a + b, 0) >= 1) return null;
  const v = first.z.map((value, k) => value + sides.reduce((sum, side, j) => sum + found[j] * side[k], 0));
  return { v, some };
}

/** The point of the convex hull nearest to the origin (Gilbert, Johnson and Keerthi 1988). furthest(v): the vertex z of smallest v.z. */
function nearestPoint(furthest, dimension) {
  const first = furthest(new Array(dimension).fill(1));
  let best = { v: first.z, some: [first] };
  for (let k = 0; k < 500; k += 1) {
    const next = furthest(best.v), size = dot(best.v, best.v);
    if (best.some.some((one) => one.id === next.id) || size - dot(best.v, next.z) <= 1e-14 * dot(next.z, next.z)) break;
    const all = [...best.some, next], before = size;
    for (let chosen = 1; chosen < 2 ** all.length; chosen += 1) {
      const part = all.filter((_, j) => (chosen >> j) & 1), found = part.length <= dimension + 1 ? nearestBetween(part) : null;
      if (found && dot(found.v, found.v) < dot(best.v, best.v)) best = found;
    }
    if (dot(best.v, best.v) >= before || dot(best.v, best.v) < TINY ** 2) break;
  }
  return best;
}

/** True if numbers x > 0 with sum x z = 0 exist, for whole numbers z: by elimination without rounding. */
function cancel(vectors) {
  const m = vectors.length, rows = vectors[0].map((_, k) => vectors.map((z) => BigInt(z[k]))), pivots = [];
  for (let column = 0, k = 0; column < m && k < rows.length; column += 1) {
    const pivot = rows.findIndex((row, i) => i >= k && row[column] !== 0n);
    if (pivot < 0) continue;
    [rows[k], rows[pivot]] = [rows[pivot], rows[k]];
    for (let i = 0; i < rows.length; i += 1) if (i !== k) { const f = rows[i][column]; rows[i] = rows[i].map((value, j) => value * rows[k][column] - f * rows[k][j]); }
    pivots.push(column);
    k += 1;
  }
  // One free number, set to 1: all others must be positive.
  if (pivots.length !== m - 1) return false;
  const free = Array.from({ length: m }, (_, j) => j).find((j) => !pivots.includes(j)) ?? 0;
  return pivots.every((column, k) => (rows[k][free] < 0n) === (rows[k][column] > 0n) && rows[k][free] !== 0n);
}

/** The frame `separable` of screens/plane.py. points: [x, y, S] with at most three decimals. */
export function decideSeparability(points, threshold) {
  const rows = points.map(([x, y, S], id) => ({ id, z: threshold ? [S * x, S * y, S] : [S * x, S * y] }));
  const lowest = (some) => (v) => some.reduce((best, one) => (dot(v, one.z) < dot(v, best.z) ? one : best));
  const { v, some } = nearestPoint(lowest(rows), threshold ? 3 : 2), prove = some.map((one) => one.id).sort((a, b) => a - b);
  const whole = prove.map((mu) => points[mu]).map(([x, y, S]) => [S * Math.round(1000 * x), S * Math.round(1000 * y), ...(threshold ? [S] : [])]);
  const answer = rows.every((one) => dot(v, one.z) > TINY * dot(v, v)) && dot(v, v) > TINY ** 2 ? true : cancel(whole) ? false : null;
  return { answer, message: "The classes are too close to decide here: `markone lab` computes without rounding.", prove, widest: answer ? widestGap(points, v, threshold, lowest) : null };
}

/** Half the width of the widest gap; the threshold does not count into |w|. */
function widestGap(points, v, threshold, lowest) {
  if (!threshold) return Math.sqrt(dot(v, v));
  const side = (S) => points.map(([x, y, label], id) => ({ id, label, z: [S * x, S * y] })).filter((one) => one.label === S);
  const [plus, minus] = [lowest(side(1)), lowest(side(-1))];
  const furthest = (u) => { const a = plus(u), b = minus(u); return { id: `${a.id} ${b.id}`, z: [a.z[0] + b.z[0], a.z[1] + b.z[1]] }; };
  const nearest = nearestPoint(furthest, 2).v;
  return Math.sqrt(dot(nearest, nearest)) / 2;
}
