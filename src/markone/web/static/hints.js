// Hints of a task, from its solution and from what the student did: three, each more exact than the one before.

import { formatNumber } from "./dom.js";

const ofField = (step, schema) => schema.properties[step.name];
const isNumeric = (field) => ["number", "integer"].includes(field.type);

function choiceWords(step, field) { return step.value.split(", ").map((value) => field.choices?.[value] ?? (value === "true" ? "on" : value === "false" ? "off" : value)).join(", "); }

/** A step of a solution as a part of a sentence. */
export function stepWords(step, schema) {
  const place = () => `${Math.round(100 * step.x)} % from the left and ${Math.round(100 * step.y)} % from the top`;
  if (step.do === "set") { const field = ofField(step, schema); return `${field.title}: ${isNumeric(field) ? formatNumber(Number(step.value)) : choiceWords(step, field)}`; }
  if (step.do === "press") return `press ${step.label}${step.times ? ` ${step.times} times` : ""}`;
  if (step.do === "drag") return `drag an example to ${place()}`;
  return step.mark ? "click a mark in the picture" : `click the picture ${place()}`;
}

/** Whether a control differs from the solution. */
function isOpen(step, state) {
  const value = state[step.name];
  return String(Array.isArray(value) ? value.join(", ") : value) !== step.value;
}

/** What became of the value that is farthest from done: by the last change of the student. */
function trendHint({ goals, state, opened, task, schema }) {
  const [goal] = goals;
  if (!goal) return "All conditions hold now: wait a moment.";
  if (JSON.stringify(state) === JSON.stringify(opened)) return `Nothing has been changed yet. Begin here: ${controlName(task.steps[0], schema)}.`;
  const { condition, name, value, before } = goal, aim = condition.above ?? condition.at_least ?? condition.below ?? condition.at_most;
  if (value === null || value === undefined) return `“${name}” has no value yet: it is computed when learning has begun or the screen is done.`;
  if (typeof value !== "number" || typeof before !== "number" || aim === undefined) return `“${name}” is not yet as asked. The other conditions ${goals.length > 1 ? "are open, too" : "hold"}.`;
  if (value === before) return `Your last change left “${name}” at ${formatNumber(value, 3)}: it depends on another control.`;
  const nearer = Math.abs(value - aim) < Math.abs(before - aim);
  return `Your last change moved “${name}” from ${formatNumber(before, 3)} to ${formatNumber(value, 3)}, ${nearer ? "towards the goal: go on in this direction" : "away from the goal: go the other way"}.`;
}

function controlName(step, schema) {
  if (step.do === "set") return `the control “${ofField(step, schema).title}”`;
  return stepWords(step, schema);
}

/** Which control to move, and in which direction. */
function controlHint({ task, schema, state }) {
  const step = task.steps.find((one) => one.do !== "set" || isOpen(one, state)) ?? task.steps.at(-1);
  if (step.do !== "set") return `The controls are as they should be. Next: ${stepWords(step, schema)}.`;
  const field = ofField(step, schema), value = state[step.name];
  if (!isNumeric(field)) return `Look at “${field.title}”: another choice is needed.`;
  return `“${field.title}” is ${formatNumber(value)}: try a ${Number(step.value) > value ? "larger" : "smaller"} value.`;
}

/** How many steps there are, and the first that is open. */
function stepHint({ task, schema, state }) {
  const open = task.steps.filter((one) => one.do !== "set" || isOpen(one, state));
  return `${task.steps.length === 1 ? "One step is enough" : `One solution has ${task.steps.length} steps`}. Next: ${stepWords(open[0] ?? task.steps.at(-1), schema)}.`;
}

/** Hint number k (from 0). @param {number} k @param {{ goals: any[], task: any, schema: any, state: any, opened: any }} what */
export function findHint(k, what) { return [trendHint, controlHint, stepHint][k](what); }
