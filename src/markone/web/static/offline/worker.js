// The worker of an exported page: answers the messages of the page as the laboratory does (protocol.py).

import { Engine } from "./engine.js";
import { memoryFrames } from "./memory.js";
import { planeFrames } from "./plane.js";
import { recordedFrames } from "./recorded.js";
import { findProblem } from "./check.js";

const FRAMES = { plane: planeFrames, memory: memoryFrames };
/** @type {Map<number, { frames: Iterator<any>, number: number }>} */
const jobs = new Map();
let engine, screens, tables;

const say = (message) => postMessage(JSON.stringify(message));
const refuse = (ticket, sentence, where = []) => say({ kind: "refused", ticket, sentence, where });

function start({ ticket, want, work }) {
  const screen = screens.find((one) => one.name === work.screen);
  if (want !== "frames") return refuse(ticket, "Programs are written by the laboratory: this needs `markone lab`.");
  const problem = findProblem(screen.schema, work.state);
  if (problem) return refuse(ticket, problem.sentence, [problem.name]);
  jobs.set(ticket, { frames: (FRAMES[work.screen] ?? recordedFrames)(work.state, engine, tables[work.screen], screen), number: 0 });
  advance(ticket);
}

function advance(ticket) {
  const job = jobs.get(ticket);
  if (!job) return;
  try {
    const { value, done } = job.frames.next();
    const { last = done, ...data } = value ?? {};
    if (last) jobs.delete(ticket);
    say({ kind: "frame", ticket, number: job.number++, last, data });
  } catch (error) {
    jobs.delete(ticket);
    refuse(ticket, error.message);
  }
}

onmessage = ({ data }) => {
  if (typeof data !== "string") {
    engine = data.module ? new Engine(data.module) : null;
    ({ tables } = data);
    ({ screens } = data.catalogue);
    say({ kind: "welcome", version: data.catalogue.version });
    return say({ kind: "ready", done: 1, of: 1 });
  }
  const message = JSON.parse(data);
  if (message.kind === "start") start(message);
  else if (message.kind === "more") advance(message.ticket);
  else if (message.kind === "stop") jobs.delete(message.ticket);
};
