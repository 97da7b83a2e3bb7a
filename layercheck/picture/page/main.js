// Buttons, keys, theme and the line at the foot of the page.
const Main = (() => {
  const by = (id) => document.getElementById(id);
  const matrixIsSeen = () => !by("matrix").hidden;
  const view = () => (matrixIsSeen() ? Matrix : Graph);
  const focusView = () => by(matrixIsSeen() ? "matrix" : "graph").focus({ preventScroll: true });

  function show(matrix) {
    Graph.show(!matrix);
    Matrix.show(matrix);
    by("view-graph").setAttribute("aria-pressed", String(!matrix));
    by("view-matrix").setAttribute("aria-pressed", String(matrix));
    view().showChosen();
    say();
  }

  function say() {
    const { visible, bundles, chosen } = Model.state;
    const all = [...bundles.values()];
    const hidden = matrixIsSeen() ? 0 : Graph.hidden();
    const parts = [`${Model.counted(visible.length)} shown`, `${Model.counted(all.length)} arrows`];
    if (hidden) parts.push(`${Model.counted(hidden)} of them drawn only for what is chosen`);
    if (chosen) parts.unshift(chosen.item === undefined ? `${Model.items[chosen.from].name} imports ${Model.items[chosen.to].name}` : Panel.nameOf(Model.items[chosen.item]));
    by("status").textContent = `${parts.join("; ")}. ? for keys`;
  }

  const THEMES = ["system", "light", "dark"];
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  let theme = "system";
  function dress() {
    const wanted = theme === "system" ? (dark.matches ? "dark" : "light") : theme;
    document.documentElement.dataset.theme = wanted;
    by("theme").textContent = `Theme: ${theme}`;
    Graph.restyle();
    Matrix.restyle();
  }
  function nextTheme() { theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]; dress(); }
  dark.addEventListener("change", dress);

  let violation = -1, ring = -1;
  function nextViolation() {
    if (Model.violations.length) Panel.goToViolation(Model.violations[violation = (violation + 1) % Model.violations.length]);
  }
  function nextRing() {
    if (Model.rings.length) Panel.goToRing(Model.rings[ring = (ring + 1) % Model.rings.length]);
  }

  function toggleChosen() {
    const chosen = Model.state.chosen;
    if (chosen && chosen.item !== undefined) Graph.toggle(chosen.item);
    view().showChosen();
  }

  function escape() {
    if (Search.isOpen() || document.activeElement === by("search")) { Search.clear(); focusView(); } else Model.choose(null);
  }

  const KEYS = {
    "/": () => Search.focus(), "?": () => by("keys").showModal(), Escape: escape, Enter: toggleChosen,
    ArrowLeft: () => view().move(-1, 0), ArrowRight: () => view().move(1, 0), ArrowUp: () => view().move(0, -1), ArrowDown: () => view().move(0, 1),
    Backspace: () => { const { chosen } = Model.state; if (chosen && chosen.item !== undefined) Model.foldAround(Model.items[chosen.item]); view().showChosen(); },
    e: Model.unfoldLevel, c: Model.foldLevel, v: nextViolation, r: nextRing, m: () => show(!matrixIsSeen()), f: Graph.fit, t: nextTheme,
    "+": () => Graph.zoomBy(1.25), "-": () => Graph.zoomBy(0.8),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || by("keys").open) return;
    const typing = event.target instanceof HTMLInputElement && event.target.type === "search";
    if (typing && event.key !== "Escape") return;
    const pressing = event.target instanceof HTMLButtonElement || event.target instanceof HTMLInputElement;
    if (pressing && (event.key === "Enter" || event.key === " ")) return;
    if (event.key.startsWith("Arrow") && event.target.closest?.("#panel")) return;
    const act = KEYS[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });

  Model.data.kinds.forEach((kind, index) => {
    if (!Model.kinds.has(index)) return;
    const box = Panel.make("input", { type: "checkbox", id: `kind-${kind}`, checked: "" });
    box.addEventListener("change", () => {
      if (box.checked) Model.kinds.add(index); else Model.kinds.delete(index);
      Model.changed("kinds");
    });
    by("kinds").append(Panel.make("label", {}, box, ` ${kind}`));
  });
  by("lit").addEventListener("change", (event) => { Model.state.litOnly = event.target.checked; Model.changed("lit"); });
  by("fold").addEventListener("click", () => { Model.foldLevel(); Graph.fit(); });
  by("unfold").addEventListener("click", () => { Model.unfoldLevel(); Graph.fit(); });
  by("fit").addEventListener("click", Graph.fit);
  by("theme").addEventListener("click", nextTheme);
  by("help").addEventListener("click", KEYS["?"]);
  by("view-graph").addEventListener("click", () => show(false));
  by("view-matrix").addEventListener("click", () => show(true));

  Model.listen(say);
  dress();
  Graph.draw();
  Graph.fit();
  Panel.draw();
  say();
  requestAnimationFrame(() => requestAnimationFrame(() => performance.mark("drawn")));
  return { focusView, show };
})();
