// Frames that were recorded by the library for a grid of states (markone.web.offline.recorded).

import { isApplicable } from "../state.js";

/** The values of the fields that are used in this state. */
function keyOf(state, { fields }, { properties }) {
  return fields.filter((name) => isApplicable(properties[name], state)).map((name) => `${name}=${state[name]}`).join(",");
}

export function* recordedFrames(state, engine, tables, screen) {
  const lines = tables.by ? state[tables.by].map((value) => ({ ...state, [tables.by]: [value] })) : [state];
  const found = lines.map((one) => tables.frames[keyOf(one, tables, screen.schema)]);
  if (found.includes(undefined)) throw new Error("This state was not recorded: it needs `markone lab`.");
  const read = (frame) => Object.fromEntries(Object.entries(frame).map(([name, k]) => [name, tables.parts[k]]));
  // Frames of steps are sent one after the other.
  if (found[0].length > 1) { for (const [k, frame] of found[0].entries()) yield { ...read(frame), last: k === found[0].length - 1 }; return; }
  const [first, ...others] = found.map(([frame]) => read(frame));
  // What is one list for each line is joined: titles, points, curves.
  const joined = ["titles", "points", "curves"].filter((name) => tables.by && name in first);
  yield { ...first, ...Object.fromEntries(joined.map((name) => [name, [first, ...others].flatMap((one) => one[name])])), last: true };
}
