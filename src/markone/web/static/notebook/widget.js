// A view of `markone.show.plane`: the page in a frame without any rights, and its messages to the kernel and back.

function render({ model, el }) {
  const { port1, port2 } = new MessageChannel(), view = String(Math.random());
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts allow-downloads");
  Object.assign(frame, { title: "Plane", srcdoc: model.get("page"), width: "100%", height: String(model.get("height")) });
  frame.style.border = "0";
  const answer = (message) => { if (message.view === view) port1.postMessage(message.text); };
  const greet = (event) => { if (event.source === frame.contentWindow) frame.contentWindow.postMessage("", "*", [port2]); };
  port1.onmessage = ({ data }) => model.send({ view, text: data });
  model.on("msg:custom", answer);
  window.addEventListener("message", greet);
  el.append(frame);
  return () => { model.off("msg:custom", answer); window.removeEventListener("message", greet); port1.close(); };
}

export default { render };
