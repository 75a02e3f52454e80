// Builds controls from the JSON schema of the server's parameter models: ranges are defined once.

import { h, formatNumber, renderText } from "./dom.js";
import { isApplicable } from "./state.js";

let serial = 0;

function listOptions(field) {
  const source = field.enum ?? field.items?.enum ?? (field.const !== undefined ? [field.const] : []);
  return source.map((value) => ({ value, words: field.choices?.[value] ?? String(value) }));
}

function makeHelp(field, id) {
  return field.description ? h("p", { class: "help", id: `${id}-help` }, renderText(field.description)) : null;
}

function makeSwitch(id, field, change) {
  const input = h("input", { type: "checkbox", id, role: "switch", on: { change: () => change(input.checked) } });
  return { node: h("div", { class: "row switch" }, h("label", { for: id, text: field.title }), input), set: (value) => { input.checked = value; } };
}

function makeSelect(id, field, change) {
  const all = listOptions(field);
  const select = h("select", { id, on: { change: () => change(all[select.selectedIndex].value) } }, all.map((one) => h("option", { text: one.words })));
  return { node: h("div", { class: "field" }, h("label", { for: id, text: field.title }), select), set: (value) => { select.selectedIndex = all.findIndex((one) => one.value === value); } };
}

function makeCheckboxes(id, field, change) {
  const boxes = listOptions(field).map((one) => {
    const input = h("input", { type: "checkbox", value: String(one.value) });
    input.addEventListener("change", () => {
      let chosen = current.includes(one.value) ? current.filter((value) => value !== one.value) : [...current, one.value];
      // Beyond the largest number the oldest choice is dropped; the last one cannot be removed.
      if (chosen.length > (field.maxItems ?? Infinity)) chosen = chosen.slice(1);
      if (chosen.length < (field.minItems ?? 0)) chosen = current;
      change(chosen);
      set(chosen);
    });
    return { ...one, input };
  });
  let current = [];
  const set = (value) => { current = value; for (const box of boxes) box.input.checked = value.includes(box.value); };
  const chips = (some) => some.map((box) => h("label", { class: "chip" }, box.input, h("span", { text: box.words })));
  const kinds = Object.entries(field.kinds ?? {}).map(([kind, values]) => [kind, boxes.filter((box) => values.includes(box.value))]).filter(([, some]) => some.length);
  const groups = kinds.map(([kind, some]) => h("div", { class: "chips", role: "group", "aria-label": kind }, h("span", { class: "kind", text: kind }), chips(some)));
  return { node: h("fieldset", { class: "field chips", id }, h("legend", { text: field.title }), groups.length ? groups : chips(boxes)), set };
}

/** Values of a control that has only some numbers, as in an exported page. */
function listedNumbers(field) {
  const some = field.enum ?? [];
  return some.length > 4 && some.every((value) => typeof value === "number") ? [...some].sort((a, b) => a - b) : null;
}

function makeSlider(id, field, change) {
  const listed = listedNumbers(field);
  const low = listed?.[0] ?? field.minimum ?? field.exclusiveMinimum, high = listed?.at(-1) ?? field.maximum ?? field.exclusiveMaximum;
  const whole = field.type === "integer";
  const step = listed ? 1 : field.step ?? (whole ? 1 : (high - low) / 200);
  const nearest = (next) => listed.reduce((best, one) => (Math.abs(one - next) < Math.abs(best - next) ? one : best));
  const place = (value) => (listed ? listed.indexOf(value) : field.log ? Math.log10(value) : value);
  const value = (at) => (listed ? listed[at] : field.log ? Number((10 ** at).toPrecision(2)) : Number((Math.round(at / step) * step).toFixed(6)));
  const range = h("input", { type: "range", id, min: place(low), max: place(high), step: field.log && !listed ? "any" : step });
  const box = h("input", { type: "number", min: low, max: high, step: "any", "aria-label": `${field.title}, as a number`, inputmode: whole ? "numeric" : "decimal" });
  const put = (next) => { box.value = String(next); range.value = String(place(next)); range.setAttribute("aria-valuetext", formatNumber(next)); };
  const fit = (next) => (listed ? nearest(next) : Math.min(high, Math.max(low, whole ? Math.round(next) : next)));
  range.addEventListener("input", () => { const next = fit(value(Number(range.value))); box.value = String(next); change(next); });
  box.addEventListener("change", () => { const next = Number(box.value); if (box.value !== "" && Number.isFinite(next)) change(fit(next)); put(fit(Number.isFinite(next) ? next : low)); });
  return { node: h("div", { class: "field" }, h("label", { for: id, text: field.title }), h("div", { class: "pair" }, range, box)), set: put };
}

/** A text field, read on Enter or when it loses focus. */
function makeTextField(id, field, change) {
  const input = h("input", { type: "text", id, maxlength: field.maxLength, spellcheck: "false", autocomplete: "off", on: { change: () => change(input.value) } });
  return { node: h("div", { class: "field" }, h("label", { for: id, text: field.title }), input), set: (value) => { if (document.activeElement !== input) input.value = value; } };
}

function makeControl(id, field, change) {
  if (field.type === "boolean") return makeSwitch(id, field, change);
  if (field.type === "array" && field.items?.enum) return makeCheckboxes(id, field, change);
  if (field.enum && !listedNumbers(field)) return makeSelect(id, field, change);
  if (field.type === "integer" || field.type === "number") return makeSlider(id, field, change);
  return field.type === "string" ? makeTextField(id, field, change) : null;
}

/** Add a button that draws another random seed of those that the screen has. */
function addReseedButton(name, field, made, change) {
  const place = made.node.querySelector(".pair");
  if (name !== "seed" || !place) return;
  const seeds = field.enum ?? Array.from({ length: 1 + Math.min(999, field.maximum) }, (_, k) => k);
  const draw = () => {
    const others = seeds.filter((seed) => seed !== Number(place.querySelector("[type=number]").value));
    change(others[Math.floor(Math.random() * others.length)]);
  };
  place.append(h("button", { type: "button", class: "quiet die", title: "Draw again", "aria-label": "Draw another random seed", text: "⚄", on: { click: draw } }));
}

/** All controls of a schema. `onChange(name, value)`; `update(state)` shows a state. */
export function buildControls(schema, { hidden = [], locked = [], onChange }) {
  const groups = new Map();
  const made = [];
  for (const [name, field] of Object.entries(schema.properties)) {
    if (field.hidden || hidden.includes(name)) continue;
    const id = `control-${name}-${serial++}`;
    const change = (value) => onChange(name, value);
    const control = makeControl(id, field, change);
    if (!control) continue;
    addReseedButton(name, field, control, change);
    const note = makeHelp(field, id);
    const wrap = h("div", { class: "control", data: { name } }, control.node, note);
    const target = wrap.querySelector(`#${id}`);
    if (note) target.setAttribute("aria-describedby", note.id);
    if (locked.includes(name)) for (const input of wrap.querySelectorAll("input, select, button")) input.disabled = true;
    if (!groups.has(field.group)) groups.set(field.group, h("section", {}, h("h2", { text: field.group })));
    groups.get(field.group).append(wrap);
    made.push({ name, field, set: control.set, wrap });
  }
  // The group "Examples" comes first.
  const order = [...groups.keys()].sort((a, b) => Number(b === "Examples") - Number(a === "Examples"));
  const node = h("form", { class: "controls", "aria-label": "Controls", on: { submit: (event) => event.preventDefault() } }, order.map((name) => groups.get(name)));
  const update = (state) => {
    for (const one of made) { one.set(state[one.name]); one.wrap.hidden = !isApplicable(one.field, state); }
    for (const section of groups.values()) section.hidden = ![...section.querySelectorAll(".control")].some((one) => !one.hidden);
  };
  return { node, update };
}
