// The frames of the plane without a laboratory: those of screens/plane.py, computed by the same compiled code.

import { decideSeparability } from "./verdict.js";

// Presentations, columns of a row (plane/_page_steps.py) and rows of a frame.
const MOST = 4000, COLUMNS = 12, CHUNK = 200;
const NAMES = ["mu", "E", "updates", "x", "kappa", "gap", "upper", "errors", "norm"];
const HALF = [4, 3], SAFE = 1.9;

/** The points of a state: placed by hand, or those that were exported for a set, a number and a seed. */
function readPoints(state, tables) {
  if (state.points) return state.points.map(([x, y, S]) => [Math.round(x * 1000) / 1000, Math.round(y * 1000) / 1000, S]);
  const codes = new Int16Array(Uint8Array.from(atob(tables.points[state.preset][state.P]), (letter) => letter.charCodeAt(0)).buffer);
  return Array.from({ length: state.P }, (_, mu) => {
    const at = 2 * (state.seed * state.P + mu);
    // The last bit of the first coordinate is the label.
    return [(codes[at] >> 1) / 1000, codes[at + 1] / 1000, codes[at] & 1 ? 1 : -1];
  });
}

/** The default window, or a larger one of the same proportions that holds all points. */
function pictureDomain(points) {
  const fits = (times) => points.every((p) => HALF.every((half, k) => Math.abs(p[k]) <= times * half));
  const centre = HALF.map((_, k) => (fits(3) ? 0 : (Math.min(...points.map((p) => p[k])) + Math.max(...points.map((p) => p[k]))) / 2));
  const scale = fits(0.97) ? 1 : 1.08 * Math.max(...points.map((p) => Math.max(...HALF.map((half, k) => Math.abs(p[k] - centre[k]) / half))));
  return HALF.map((half, k) => [centre[k] - scale * half, centre[k] + scale * half]);
}

/** All rows of a student, as sent by the laboratory. */
function studentRows(name, points, state, engine, tables) {
  const N = state.threshold ? 3 : 2;
  const X = points.flatMap(([x, y]) => (state.threshold ? [x, y, 1] : [x, y]));
  const limit = name === "soft_adatron" ? state.C * N : Infinity, eta = name === "rosenblatt" ? state.eta : Math.min(state.eta, SAFE);
  const setting = [eta, state.c, limit, 0, 0, 0, 0, 0], seed = tables.seeds[state.seed] ?? 0;
  const { found, table } = engine.run(name === "soft_adatron" ? "adatron" : name, { X, S: points.map((p) => p[2]), setting, seed, rows: MOST + 1, columns: COLUMNS });
  return Array.from({ length: Math.abs(found) }, (_, t) => {
    const row = table.subarray(t * COLUMNS, (t + 1) * COLUMNS);
    return { ...Object.fromEntries(NAMES.map((key, k) => [key, row[k]])), w: [...row.subarray(NAMES.length, NAMES.length + N)], done: t + 1 === found };
  });
}

export function* planeFrames(state, engine, tables, screen) {
  const points = readPoints(state, tables), titles = screen.schema.properties.students.choices;
  const limit = (name) => (name === "soft_adatron" ? state.C * (state.threshold ? 3 : 2) : null);
  yield { points, domain: pictureDomain(points), students: state.students.map((name) => ({ name, title: titles[name], line: true, gamma: limit(name) })) };
  const both = new Set(points.map((p) => p[2])).size === 2;
  yield { separable: both ? decideSeparability(points, state.threshold) : null, last: !points.length };
  if (!both) throw new Error("A student needs examples of both classes: shift-click places the other one.");
  const all = state.students.map((name) => studentRows(name, points, state, engine, tables));
  const longest = Math.max(...all.map((rows) => rows.length));
  for (let from = 0; from < longest; from += CHUNK) yield { rows: all.map((rows) => rows.slice(from, from + CHUNK)), last: from + CHUNK >= longest };
}
