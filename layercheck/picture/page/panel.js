// Beside the picture: what is chosen, in words. Everything is set as text, never as markup.
const Panel = (() => {
  const MOST = 100; // lines of a list that are shown before somebody asks for all
  const host = document.getElementById("panel");

  function make(tag, attributes = {}, ...children) {
    const found = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name === "click") found.addEventListener("click", value);
      else if (value !== false) found.setAttribute(name, value);
    }
    found.append(...children.filter((child) => child !== null && child !== ""));
    return found;
  }

  const number = (count, noun) => `${Model.counted(count)} ${noun}${count === 1 ? "" : "s"}`;
  const badge = (kind, text) => make("span", { class: `badge ${kind}` }, text);
  const nameOf = (item) => (item.label === "__init__" ? `${item.name}.__init__` : item.name);

  function list(title, rows, line) {
    if (!rows.length) return [];
    const found = make("ul");
    const show = (some) => found.append(...some.map((row) => make("li", {}, line(row))));
    show(rows.slice(0, MOST));
    const parts = [make("h3", {}, title), found];
    if (rows.length > MOST) {
      const more = make("button", { click: () => { more.remove(); show(rows.slice(MOST)); } }, `show all ${Model.counted(rows.length)}`);
      parts.push(more);
    }
    return parts;
  }

  function bundleLine(bundle, otherEnd, whole) {
    const other = Model.items[otherEnd];
    const own = Model.items[otherEnd === bundle.to ? bundle.from : bundle.to];
    return make("button", { class: "row", click: () => { Model.choose({ from: bundle.from, to: bundle.to }); showBoth(); } },
      whole ? "" : `${own.label} ${otherEnd === bundle.to ? "→" : "←"} `, nameOf(other), " ", make("span", { class: "faint" }, Model.counted(bundle.count)), " ", ...badges(bundle));
  }

  function badges(bundle) {
    return [
      bundle.violation ? badge("violation", "breaks a rule") : null,
      bundle.ring ? badge("ring", "ring") : null,
      bundle.up && !bundle.violation ? badge("up", "goes up") : null,
    ];
  }

  const showBoth = () => { Graph.showChosen(); Matrix.showChosen(); };

  const violationLine = (violation) => make("button", { class: "row", click: () => goToViolation(violation) },
    badge("violation", violation.severity), ` ${violation.rule}: ${violation.message}`, make("div", { class: "place faint" }, `${violation.path}:${violation.line}`));

  const ringLine = (ring) => make("button", { class: "row", click: () => goToRing(ring) },
    badge("ring", `ring of ${ring.members.length}`), ` ${ring.members.slice(0, 3).map((id) => Model.items[id].name).join(", ")}${ring.members.length > 3 ? " …" : ""}`);

  function goToViolation(violation) {
    if (violation.ends.length) Model.chooseArrow(...violation.ends[0]);
    else if (violation.item !== Model.NONE) Model.chooseItem(violation.item);
    showBoth();
    if (violation.ends.length !== 1) host.prepend(violationText(violation));
  }

  function goToRing(ring) {
    for (const id of ring.members) Model.reveal(id);
    if (ring.members.length) Model.chooseItem(ring.members[0]);
    showBoth();
  }

  const violationText = (violation) => make("div", {},
    make("p", {}, badge("violation", violation.severity), ` ${violation.check} [${violation.rule}]`),
    make("p", {}, violation.message),
    violation.help ? make("p", { class: "faint" }, violation.help) : null,
    make("p", { class: "place" }, `${violation.path}:${violation.line}`));

  function overview() {
    const modules = Model.root.children.reduce((sum, item) => sum + item.modules, 0);
    const imports = Model.arrows.reduce((sum, arrow) => sum + arrow.links.length / 4, 0);
    const rules = [...new Set(Model.data.orders.map(([rule]) => rule))];
    return [
      make("h2", {}, Model.data.title),
      make("p", {}, `${number(modules, "module")}, ${number(imports, "import")}`),
      make("p", { class: "faint" }, rules.length ? `Layers: ${rules.join(", ")}. Higher layers stand higher.` : "No rule gives layers: what is imported stands below what imports it."),
      ...list(number(Model.violations.length, "violation"), Model.violations, violationLine),
      ...list(number(Model.rings.length, "import ring"), Model.rings, ringLine),
    ];
  }

  function ofItem(item) {
    const inside = (id) => id >= item.id && id < item.end;
    const open = item.open && !item.leaf;
    const bundles = [...Model.state.bundles.values()];
    const out = bundles.filter((bundle) => inside(bundle.from) && !inside(bundle.to));
    const into = bundles.filter((bundle) => inside(bundle.to) && !inside(bundle.from));
    const own = Model.violations.filter((violation) => inside(violation.item));
    const rings = Model.rings.filter((ring) => ring.members.some(inside));
    const layer = Model.layerOf(item);
    const total = (some) => some.reduce((sum, bundle) => sum + bundle.count, 0);
    const sorted = (some, end) => [...some].sort((one, other) => other.count - one.count || one[end] - other[end]);
    return [
      make("h2", {}, nameOf(item)),
      make("p", { class: "faint" }, item.leaf && item.modules <= 1 ? (item.isPackage ? "package" : "module") : `package of ${number(item.modules, "module")}`),
      item.path ? make("p", { class: "place" }, item.path) : null,
      layer ? make("p", {}, `layer ${layer.label} of ${layer.rule}`) : null,
      item.leaf ? null : make("button", { click: () => Graph.toggle(item.id) }, open ? "Fold" : "Unfold"),
      ...list(number(own.length, "violation"), own, violationLine),
      ...list(`in ${number(rings.length, "import ring")}`, rings, ringLine),
      ...rings.filter(() => item.leaf).flatMap((ring) => [make("p", {}, ring.message), make("p", { class: "faint" }, ring.help)]),
      ...list(`imports (${Model.counted(total(out))})`, sorted(out, "to"), (bundle) => bundleLine(bundle, bundle.to, !open)),
      ...list(`imported by (${Model.counted(total(into))})`, sorted(into, "from"), (bundle) => bundleLine(bundle, bundle.from, !open)),
    ];
  }

  function linkLine(link) {
    const from = Model.items[link.arrow.from], to = Model.items[link.arrow.to];
    const what = link.name ? `from ${to.name} import ${link.name}` : `import ${to.name}`;
    return make("div", { class: "link" },
      make("span", { class: "place" }, `${link.path}:${link.line}`), " ", make("span", { class: "badge" }, link.kind), " ", ...badges({ violation: link.arrow.violations.length > 0, ring: link.arrow.ring !== Model.NONE, up: false }),
      make("div", { class: "place faint" }, what, from.name === to.name ? " (itself)" : ""));
  }

  function ofBundle(bundle) {
    const from = Model.items[bundle.from], to = Model.items[bundle.to];
    const links = bundle.arrows.flatMap(Model.linksOf);
    const broken = [...new Set(bundle.arrows.flatMap((arrow) => arrow.violations))].map((index) => Model.violations[index]);
    return [
      make("h2", {}, `${nameOf(from)} → ${nameOf(to)}`),
      make("p", {}, ...badges(bundle)),
      ...[["importer", from], ["imported", to]].map(([role, item]) => make("button", { class: "row", click: () => { Model.choose({ item: item.id }); showBoth(); } },
        make("span", { class: "faint" }, `${role}: `), nameOf(item))),
      ...broken.slice(0, MOST).map(violationText),
      ...list(number(links.length, "import"), links, linkLine),
    ];
  }

  function draw() {
    const chosen = Model.state.chosen;
    const bundle = chosen && chosen.item === undefined ? Model.state.bundles.get(Model.key(chosen.from, chosen.to)) : null;
    const parts = !chosen ? overview() : bundle ? ofBundle(bundle) : ofItem(Model.items[chosen.item]);
    host.replaceChildren(...parts.filter((part) => part !== null));
    host.scrollTop = 0;
  }

  Model.listen(draw);
  return { draw, goToViolation, goToRing, make, nameOf };
})();
