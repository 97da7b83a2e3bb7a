// Search by name: every word must be in it. What is chosen is revealed, whatever is folded around it.
const Search = (() => {
  const MOST = 50;
  const field = document.getElementById("search");
  const results = document.getElementById("results");
  let found = [], at = 0;

  function find(text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) return [];
    const last = words[words.length - 1];
    const score = (item) => {
      const name = Panel.nameOf(item).toLowerCase();
      if (!words.every((word) => name.includes(word))) return 0;
      const label = item.label.toLowerCase();
      return label === last || name === last ? 4 : label.startsWith(last) ? 3 : label.includes(last) ? 2 : 1;
    };
    return Model.items.map((item) => [score(item), item]).filter(([points]) => points)
      .sort(([one, a], [other, b]) => other - one || a.depth - b.depth || a.id - b.id).map(([, item]) => item);
  }

  function draw() {
    const shown = found.slice(0, MOST);
    results.replaceChildren(...shown.map((item, index) => Panel.make("li", {
      role: "option", id: `result${index}`, "aria-selected": String(index === at),
      click: () => { at = index; go(); },
    }, Panel.nameOf(item), " ", Panel.make("span", { class: "faint" }, item.leaf ? "" : Layout.counted(item)))));
    if (found.length > MOST) results.append(Panel.make("li", { class: "more" }, `and ${Model.counted(found.length - MOST)} more`));
    if (field.value.trim() && !found.length) results.append(Panel.make("li", { class: "more" }, "nothing has this name"));
    results.hidden = !results.childElementCount;
    field.setAttribute("aria-expanded", String(!results.hidden));
    if (shown.length) field.setAttribute("aria-activedescendant", `result${at}`); else field.removeAttribute("aria-activedescendant");
    document.getElementById(`result${at}`)?.scrollIntoView({ block: "nearest" });
  }

  function go() {
    const item = found[at];
    if (!item) return;
    close();
    Model.chooseItem(item.id);
    Graph.showChosen();
    Matrix.showChosen();
    Main.focusView();
  }

  function close() {
    found = [];
    results.hidden = true;
    field.setAttribute("aria-expanded", "false");
  }

  function clear() { field.value = ""; close(); }

  field.addEventListener("input", () => { found = find(field.value); at = 0; draw(); });
  field.addEventListener("keydown", (event) => {
    const most = Math.min(found.length, MOST);
    if (event.key === "ArrowDown" && most) at = (at + 1) % most;
    else if (event.key === "ArrowUp" && most) at = (at + most - 1) % most;
    else if (event.key === "Enter") { go(); event.preventDefault(); return; } else return;
    event.preventDefault();
    draw();
  });
  field.addEventListener("blur", () => setTimeout(close, 200));

  return { clear, focus: () => { field.focus(); field.select(); }, isOpen: () => !results.hidden || field.value !== "" };
})();
