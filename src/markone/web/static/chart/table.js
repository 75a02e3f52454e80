// The data of a figure as a table or CSV.

import { h, formatNumber } from "../dom.js";

const SHOWN = 400;

/** CSV with the full precision sent by the server. */
export function tableToCsv({ columns, rows }) {
  const cell = (value) => {
    if (value === null || value === undefined || Number.isNaN(value)) return "";
    const text = String(value);
    return /[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
  };
  return [columns, ...rows].map((row) => row.map(cell).join(",")).join("\n") + "\n";
}

export function tableNode({ columns, rows }, title) {
  const body = rows.slice(0, SHOWN).map((row) => h("tr", {}, row.map((value) => h("td", { text: typeof value === "number" ? formatNumber(value, 6) : value ?? "–" }))));
  const note = rows.length > SHOWN ? h("p", { class: "help", text: `The first ${SHOWN} of ${rows.length} rows; the CSV has all.` }) : null;
  return h("div", { class: "table-scroll", tabindex: "0", role: "region", "aria-label": `Data of ${title}` },
    h("table", {}, h("caption", { text: title }), h("thead", {}, h("tr", {}, columns.map((name) => h("th", { scope: "col", text: name })))), h("tbody", {}, body)), note);
}
