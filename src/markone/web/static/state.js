// The state of a screen: declared by the server's schema, kept in the address.

/** The default state of a screen. */
export function defaultState(schema) {
  const state = {};
  for (const [name, field] of Object.entries(schema.properties)) state[name] = structuredClone(field.default ?? null);
  return state;
}

/** True if a control is used in this state. */
export function isApplicable(field, state) {
  return Object.entries(field.when ?? {}).every(([name, values]) => [state[name]].flat().some((value) => values.includes(value)));
}

const isEqual = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const isText = (field) => field.type === "string" || (field.enum && field.enum.every((value) => typeof value === "string"));

function encodeValue(value, field) {
  const text = isText(field) ? value : JSON.stringify(value);
  return encodeURIComponent(text).replace(/%2C/g, ",").replace(/%3A/g, ":").replace(/%5B/g, "[").replace(/%5D/g, "]").replace(/%22/g, "'");
}

function decodeValue(text, field) {
  const raw = decodeURIComponent(text);
  return isText(field) ? raw : JSON.parse(raw.replace(/'/g, '"'));
}

/** The difference from the defaults as a URL fragment. */
export function toFragment(screen, state, extra = {}) {
  const start = defaultState(screen.schema);
  const parts = Object.entries(state)
    .filter(([name, value]) => !isEqual(value, start[name]))
    .map(([name, value]) => `${name}=${encodeValue(value, screen.schema.properties[name])}`);
  for (const [name, value] of Object.entries(extra)) if (value) parts.push(`${name}=${encodeURIComponent(value)}`);
  return `#/${screen.name}${parts.length ? `?${parts.join("&")}` : ""}`;
}

/** Screen, state and lesson of a fragment; parameters that cannot be read keep their defaults and are listed in `unread`, an unknown screen is `missing`. */
export function fromFragment(hash, screens) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
  const screen = screens.find((one) => one.name === path) ?? screens[0];
  const missing = path && path !== screen.name ? path : "";
  const state = defaultState(screen.schema);
  const unread = [];
  let lesson = "";
  for (const part of query.split("&").filter(Boolean)) {
    const [name, text = ""] = [part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1)];
    const field = screen.schema.properties[name];
    if (name === "lesson") { lesson = decodeURIComponent(text); continue; }
    try {
      if (!field) throw new Error(name);
      state[name] = decodeValue(text, field);
    } catch { unread.push(name || part); }
  }
  return { screen, state, lesson, unread, missing };
}
