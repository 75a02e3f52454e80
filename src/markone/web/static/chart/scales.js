// Scales from data to pixels, and positions of ticks.

/** @typedef {{ (value: number): number, invert: (pixel: number) => number, domain: number[], range: number[], log: boolean }} Scale */

/** @returns {Scale} */
export function makeScale(domain, range, log = false) {
  const f = log ? Math.log10 : (v) => v, g = log ? (v) => 10 ** v : (v) => v;
  const [a, b] = domain.map(f), width = b - a || 1;
  const map = (value) => range[0] + ((f(value) - a) / width) * (range[1] - range[0]);
  return Object.assign(map, { invert: (pixel) => g(a + ((pixel - range[0]) / (range[1] - range[0])) * width), domain, range, log });
}

/** Round numbers inside a domain, about `count` of them. @param {number[]} domain @param {number} [count] */
export function tickValues([low, high], count = 6, log = false) {
  if (log) {
    const decades = [];
    for (let k = Math.ceil(Math.log10(low) - 1e-9); k <= Math.log10(high) + 1e-9; k += 1) decades.push(10 ** k);
    if (decades.length > 2) return decades;
    return [1, 2, 5].flatMap((n) => [-1, 0, 1].map((k) => n * 10 ** (Math.floor(Math.log10(low)) + k))).concat(decades).filter((v, k, all) => v >= low * 0.999 && v <= high * 1.001 && all.indexOf(v) === k).sort((a, b) => a - b);
  }
  const raw = (high - low) / Math.max(1, count), size = 10 ** Math.floor(Math.log10(raw || 1));
  const step = [1, 2, 2.5, 5, 10].map((n) => n * size).find((n) => n >= raw * 0.999) ?? size;
  const all = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k += 1) all.push(Number((k * step).toPrecision(12)));
  return all;
}

/** A domain that contains all values with some padding; `zero` includes 0. */
export function extent(values, { zero = false, air = 0.06, least = 0 } = {}) {
  let low = Infinity, high = -Infinity;
  for (const value of values) if (Number.isFinite(value)) { if (value < low) low = value; if (value > high) high = value; }
  if (low > high) return [0, 1];
  if (zero) { low = Math.min(low, 0); high = Math.max(high, 0); }
  const width = Math.max(high - low, least, Math.abs(high) * 1e-6, 1e-12);
  const middle = (low + high) / 2;
  if (high - low < width) { low = zero && low === 0 ? 0 : middle - width / 2; high = low + width; }
  return [zero && low === 0 ? 0 : low - air * width, zero && high === 0 ? 0 : high + air * width];
}

/** The next of 1, 2, 5, 10, 20 ...: an axis that grows in such steps changes rarely. */
export function roundUp(value) {
  const size = 10 ** Math.floor(Math.log10(Math.max(value, 1e-12)));
  return [1, 2, 5, 10].map((n) => n * size).find((n) => n >= value * 0.999) ?? value;
}
