// Text with too little contrast to its background (WCAG AA).
() => {
  const parse = (text) => (text.match(/[\d.]+/g) ?? []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)).reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
  const ground = (node) => { for (let at = node; at; at = at.parentElement) { const c = parse(getComputedStyle(at).backgroundColor); if (c.length && (c[3] ?? 1) > 0.99) return c; } return [255, 255, 255]; };
  const opacity = (node) => { let all = 1; for (let at = node; at; at = at.parentElement) all *= Number(getComputedStyle(at).opacity); return all; };
  const blend = (over, under, share) => over.slice(0, 3).map((v, k) => share * v + (1 - share) * under[k]);
  const bad = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || !node.getClientRects().length || node.closest('[hidden], .offscreen, #toast, #tip, svg, :disabled, noscript')) continue;
    const style = getComputedStyle(node), size = parseFloat(style.fontSize), under = ground(node), share = opacity(node);
    if (share < 0.05) continue;
    const a = light(blend(parse(style.color), under, share)), b = light(under);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < (size >= 24 ? 3 : 4.5)) bad.push(`${ratio.toFixed(2)} ${walker.currentNode.textContent.trim().slice(0, 40)}`);
  }
  return bad;
}
