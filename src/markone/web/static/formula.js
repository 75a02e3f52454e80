// Converts a formula in a subset of TeX (_ ^ \frac \sqrt and Unicode letters) to MathML.

const MATH = "http://www.w3.org/1998/Math/MathML";
const m = (tag, ...children) => { const node = document.createElementNS(MATH, tag); node.append(...children); return node; };

class FormulaParser {
  constructor(text) { this.text = text; this.at = 0; }

  parseRow(end) {
    const parts = [];
    while (this.at < this.text.length && this.text[this.at] !== end) {
      const part = this.parsePart();
      if (part) parts.push(part);
    }
    this.at += 1;
    return parts.length === 1 ? parts[0] : m("mrow", ...parts);
  }

  parseGroup() {
    while (this.text[this.at] === " ") this.at += 1;
    if (this.text[this.at] === "{") { this.at += 1; return this.parseRow("}"); }
    return this.parseAtom();
  }

  parsePart() {
    const base = this.parseAtom();
    if (!base) return null;
    let below = null, above = null;
    while (this.text[this.at] === "_" || this.text[this.at] === "^") {
      const sign = this.text[this.at++];
      if (sign === "_") below = this.parseGroup(); else above = this.parseGroup();
    }
    if (below && above) return m("msubsup", base, below, above);
    if (below) return m("msub", base, below);
    return above ? m("msup", base, above) : base;
  }

  parseAtom() {
    const rest = this.text.slice(this.at);
    const command = /^\\(frac|sqrt|binom)/.exec(rest);
    if (command) {
      this.at += command[0].length;
      if (command[1] === "sqrt") return m("msqrt", this.parseGroup());
      const fraction = m("mfrac", this.parseGroup(), this.parseGroup());
      if (command[1] === "frac") return fraction;
      fraction.setAttribute("linethickness", "0");
      return m("mrow", m("mo", "("), fraction, m("mo", ")"));
    }
    if (rest[0] === "{") { this.at += 1; return this.parseRow("}"); }
    const space = /^\s+/.exec(rest);
    if (space) { this.at += space[0].length; return null; }
    const digits = /^[\d.]+/.exec(rest);
    if (digits) { this.at += digits[0].length; return m("mn", digits[0]); }
    const brace = /^\\([{}])/.exec(rest);
    if (brace) { this.at += 2; return m("mo", brace[1]); }
    const word = /^(sign|arccos|ln|error|bias|variance)/.exec(rest);
    if (word) { this.at += word[0].length; const node = m("mi", word[0]); node.setAttribute("mathvariant", "normal"); return node; }
    const letter = /^[\p{L}]\*?/u.exec(rest);
    if (letter) { this.at += letter[0].length; return letter[0].length > 1 ? m("msup", m("mi", letter[0][0]), m("mo", "*")) : m("mi", letter[0]); }
    this.at += 1;
    return m("mo", rest[0]);
  }
}

/** @param {string} text */
export function renderFormula(text) {
  const math = m("math", new FormulaParser(text).parseRow(undefined));
  math.setAttribute("display", "block");
  math.setAttribute("aria-label", text.replace(/\\frac/g, "fraction ").replace(/[{}\\]/g, " "));
  return math;
}
