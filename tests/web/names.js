// Interactive elements without a name, and duplicate ids.
() => {
  const bad = [];
  for (const node of document.querySelectorAll('button, a[href], input, select, [role=img], [tabindex="0"]')) {
    if (node.closest('[hidden]') || !node.getClientRects().length) continue;
    const labelled = node.labels?.length ? [...node.labels].map((l) => l.textContent).join('') : '';
    const by = (node.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent ?? '').join('');
    const name = node.getAttribute('aria-label') ?? (labelled || by || node.textContent || node.title || '');
    if (!name.trim()) bad.push(node.outerHTML.slice(0, 120));
  }
  const ids = [...document.querySelectorAll('[id]')].map((node) => node.id);
  for (const id of ids) if (ids.filter((one) => one === id).length > 1) bad.push(`two elements have the id ${id}`);
  return bad;
}
