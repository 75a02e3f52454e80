// The compiled functions of markone as a WebAssembly module (markone.web.offline.wasm) and the memory they use.

const SEED = 8, REAL = 8;
// The place of the address of the data in the header that compiled code expects before an array it has made.
const HEADER = 32, DATA = 16;

export class Engine {
  /** @param {string} text the module in base64 */
  constructor(text) {
    const module = new WebAssembly.Module(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
    const fail = (name) => () => { throw new Error(`The compiled code reported an error (${name}).`); };
    const math = { sqrt: Math.sqrt, exp: Math.exp, log: Math.log, tanh: Math.tanh, erfc: fail("erfc") };
    const env = Object.fromEntries(WebAssembly.Module.imports(module).map(({ name }) => [name, math[name] ?? fail(name)]));
    env.NRT_MemInfo_alloc_aligned = (size) => this.makeArray(Number(size));
    this.code = /** @type {any} */ (new WebAssembly.Instance(module, { env }).exports);
    this.top = 0;
  }

  /** The address of `size` bytes, free until the next call of `run`. */
  reserve(size) {
    const address = (this.top + 63) & ~63, missing = address + size - this.code.memory.buffer.byteLength;
    this.top = address + size;
    if (missing > 0) this.code.memory.grow(Math.ceil(missing / 65536));
    return address;
  }

  makeArray(size) {
    const header = this.reserve(HEADER + 64 + size), data = (header + HEADER + 63) & ~63;
    new DataView(this.code.memory.buffer).setUint32(header + DATA, data, true);
    return header;
  }

  put(values) {
    const address = this.reserve(REAL * values.length);
    new Float64Array(this.code.memory.buffer, address, values.length).set(values);
    return address;
  }

  /** Call (X, S, setting, state, out) -> whole number; returns it and the table `out` of so many rows. */
  run(name, { X, S, setting, seed, rows, columns }) {
    this.top = this.code.__heap_base.value;
    const places = [this.put(X), this.put(S), this.put(setting)], state = this.reserve(SEED);
    new DataView(this.code.memory.buffer).setBigUint64(state, BigInt(seed), true);
    const out = this.reserve(REAL * rows * columns);
    const found = this.code[name](places[0], places[1], S.length, X.length / S.length, places[2], state, out, rows, columns);
    return { found, table: new Float64Array(this.code.memory.buffer, out, rows * columns).slice() };
  }
}
