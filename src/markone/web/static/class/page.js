// The page of a student: join with the code, choose, and see the answer when it is revealed.

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const stored = (() => { try { return sessionStorage; } catch { return null; } })();
let code = new URLSearchParams(location.search).get("code") ?? stored?.getItem("code") ?? "";
/** @type {WebSocket} */
let socket;

/** @returns {any} */
function node(tag, text, attributes = {}) {
  const made = Object.assign(document.createElement(tag), attributes);
  made.textContent = text;
  return made;
}

function showJoin(sentence = "") {
  const input = node("input", "", { value: code, maxLength: 20, autocomplete: "off", spellcheck: false });
  input.setAttribute("aria-label", "Code");
  const form = node("form", "");
  form.append(input, node("button", "Join", { type: "submit" }));
  form.addEventListener("submit", (event) => { event.preventDefault(); code = input.value.trim(); join(); });
  main.replaceChildren(node("h1", "Enter the code on the lecturer's page"), ...(sentence ? [node("p", sentence, { role: "alert" })] : []), form);
}

function showQuestion({ number, text, options, chosen, answer, because }) {
  const open = answer === undefined && chosen === null;
  const buttons = options.map((words, k) => {
    const button = node("button", words, { type: "button", disabled: !open });
    button.className = answer === k ? "right" : k === chosen ? (answer === undefined ? "chosen" : "mistaken") : "";
    button.setAttribute("aria-pressed", String(k === chosen));
    button.addEventListener("click", () => socket.send(JSON.stringify({ kind: "vote", number, choice: k })));
    return button;
  });
  const words = answer === undefined ? (open ? "" : "Your prediction is counted. Wait for the answer.") : because;
  main.replaceChildren(node("h1", text), ...buttons, node("p", words, { className: answer === undefined ? "soft" : "" }));
}

const SHOW = {
  joined: ({ key, name }) => { stored?.setItem("key", key); stored?.setItem("code", code); /** @type {HTMLElement} */ (document.getElementById("name")).textContent = name; },
  wait: () => main.replaceChildren(node("h1", "You have joined"), node("p", "The first question will be shown here.")),
  question: showQuestion,
  refused: ({ sentence }) => { stored?.removeItem("code"); code = ""; showJoin(sentence); },
};

function join() {
  let joined = false;
  socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/class/student`);
  socket.addEventListener("open", () => socket.send(JSON.stringify({ kind: "join", code, key: stored?.getItem("key") ?? null })));
  socket.addEventListener("message", ({ data }) => { const message = JSON.parse(data); joined ||= message.kind === "joined"; SHOW[message.kind](message); });
  socket.addEventListener("close", () => { if (!code) return; if (joined) { main.replaceChildren(node("p", "Connecting again…")); setTimeout(join, 1500); } });
}

if (code) join(); else showJoin();
