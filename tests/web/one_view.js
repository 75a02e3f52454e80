// What of the current task, its values, the picture, and with `all` the curves, is not inside the window.
(all) => {
  const parts = { task: ".task.current", values: ".task.current .goals", picture: ".stage .chart .frame", ...(all ? { curves: ".of-plane .series .chart:last-child .frame", second: ".of-plane .panels .chart:last-child .frame" } : {}) };
  const head = document.getElementById("top"), top = getComputedStyle(head).position === "sticky" ? head.offsetHeight : 0;
  const inside = (box) => box.width && box.top >= top - 1 && box.bottom <= innerHeight + 1 && box.left >= 0 && box.right <= innerWidth;
  const needed = ["task", "values", "picture"];
  return Object.entries(parts).map(([name, selector]) => [name, document.querySelector(selector)?.getBoundingClientRect()])
    .filter(([name, box]) => (box ? !inside(box) : needed.includes(name)))
    .map(([name, box]) => `${name} ${Math.round(box?.top)} to ${Math.round(box?.bottom)}`);
}
