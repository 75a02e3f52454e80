// The frames of the memory without a laboratory: those of screens/memory.py, computed by the same compiled code.

const STATUS = ["max_iter", "fixed point", "cycle of two"];

const toStates = (bits, count) => Array.from({ length: count }, (_, k) => ((bits[k >> 3] >> (7 - (k & 7))) & 1 ? 1 : -1));
const readBits = (text, count) => toStates(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)), count);
const readDigits = (hex, N) => { const found = [...hex].flatMap((digit) => [8, 4, 2, 1].map((bit) => (parseInt(digit, 16) & bit ? 1 : -1))); return Array.from({ length: N }, (_, k) => found[k] ?? -1); };
/** Python's round: halves to the even neighbour. */
const roundHalf = (x) => (x % 1 === 0.5 ? 2 * Math.round(x / 2) : Math.round(x));

export function* memoryFrames(state, engine, tables) {
  const side = state.source === "digits" ? 8 : state.side, N = side ** 2, key = `${side}/${state.seed}`;
  const all = readBits(tables.patterns[state.source === "digits" ? "digits" : key], state.P * N);
  const patterns = [...Array.from({ length: state.P }, (_, mu) => all.slice(mu * N, (mu + 1) * N)), ...state.drawn.map((one) => readDigits(one, N))];
  const P = patterns.length, which = state.which % P, start = state.start === null ? [...patterns[which]] : readDigits(state.start, N);
  if (state.start === null) for (const i of tables.flips[key].slice(0, roundHalf(state.spoil * N))) start[i] *= -1;
  yield { patterns, side, start, load: P / N, which };
  const parallel = state.dynamics === "parallel", columns = N + 2, T = state.temperature;
  const setting = [Number(state.couplings !== "hebb"), Number(parallel), T, state.sweeps, 0, 0, 0, 0];
  const { found, table } = engine.run("recall", { X: [...patterns.flat(), ...start], S: new Array(P + 1).fill(1), setting, seed: parallel && !T ? 0 : tables.seeds[state.seed], rows: state.sweeps + 1, columns });
  if (!found) throw new Error("The patterns span all dimensions, so that their projection is the identity and the couplings between neurons vanish: store fewer patterns.");
  const rows = Array.from({ length: found >> 2 }, (_, t) => [...table.subarray(t * columns, t * columns + N + 1)]), states = rows.map((row) => row.slice(0, N));
  const overlaps = states.map((S) => patterns.map((xi) => xi.reduce((sum, value, i) => sum + value * S[i], 0) / N));
  yield { states, energy: rows.map((row) => row[N]), overlaps, status: T > 0 ? "thermal" : STATUS[found & 3], stable: table[N + 1] };
  yield { theory: state.couplings === "hebb" ? tables.theory[T] : [], capacity: tables.capacity, last: true };
}
