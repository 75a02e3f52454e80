// node run_worker.js lab.js < states: one line of JSON for each state, all frames of the worker of an exported page.
const { readFileSync } = require("fs");

const said = [];
globalThis.postMessage = (text) => said.push(JSON.parse(text));
(0, eval)(readFileSync(process.argv[2], "utf8").split("\n")[0]);
const { worker, ...data } = globalThis.markoneExport;
(0, eval)(worker);
globalThis.onmessage({ data });
for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  said.length = 0;
  globalThis.onmessage({ data: JSON.stringify({ kind: "start", ticket: 1, want: "frames", work: JSON.parse(line) }) });
  while (said.at(-1).kind === "frame" && !said.at(-1).last) globalThis.onmessage({ data: JSON.stringify({ kind: "more", ticket: 1 }) });
  process.stdout.write(JSON.stringify(said) + "\n");
}
