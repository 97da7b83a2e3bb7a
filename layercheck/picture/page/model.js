// What the page shows: packages and modules as a tree, which of them are open, what is chosen. Draws nothing.
const Model = (() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const NONE = -1;
  const format = new Intl.NumberFormat("en");

  const items = data.tree.map(([parent, name, level, order, layer, path, modules, ring, isPackage], id) => ({
    id, parent, name, level, order, layer,
    leaf: path !== undefined, path: path ?? "", modules: modules ?? 0, ring: ring ?? NONE, isPackage: Boolean(isPackage),
    children: [], open: false, depth: 0, end: id + 1, label: name,
  }));
  const root = { id: NONE, name: "", children: [], open: true, leaf: false, depth: -1 };
  const at = (id) => (id === NONE ? root : items[id]);
  const parentOf = (item) => at(item.parent);
  for (const item of items) {
    const above = parentOf(item);
    above.children.push(item);
    item.depth = above.depth + 1;
    item.label = item.name === above.name ? "__init__" : above.name ? item.name.slice(above.name.length + 1) : item.name;
  }
  for (const item of [...items].reverse()) {
    const above = parentOf(item);
    if (above === root) continue;
    above.modules += item.modules;
    above.end = Math.max(above.end, item.end);
  }

  // An arrow between two nodes; its links are four numbers each: path, line, kind, name.
  const arrows = data.arrows.map(([from, to, ring, violations, links]) => {
    const counts = [0, 0, 0];
    for (let index = 2; index < links.length; index += 4) counts[links[index]] += 1;
    return { from, to, ring, violations, links, counts };
  });
  const violations = data.violations.map(([rule, check, severity, message, help, path, line, item, ends], index) => ({
    rule, check, severity, message, help, path, line, item, ends, index,
  }));
  const rings = data.rings.map(([members, message, help], index) => ({ members, message, help, index }));
  const linksOf = (arrow) => {
    const found = [];
    for (let index = 0; index < arrow.links.length; index += 4) {
      const [path, line, kind, name] = arrow.links.slice(index, index + 4);
      if (kinds.has(kind)) {
        found.push({ path: data.paths[path], line, kind: data.kinds[kind], name: data.names[name], arrow });
      }
    }
    return found;
  };

  const kinds = new Set(data.drawn.map((kind) => data.kinds.indexOf(kind)));
  const shownAs = new Int32Array(items.length);
  const state = { chosen: null, litOnly: false, visible: [], opened: [], bundles: new Map(), out: new Map(), into: new Map() };
  const listeners = [];

  const key = (from, to) => from * items.length + to;

  // The parts of one package that two items are in: what tells which of the two stands above the other.
  function partsOf(one, other) {
    while (one.depth > other.depth) one = parentOf(one);
    while (other.depth > one.depth) other = parentOf(other);
    while (one.parent !== other.parent) { one = parentOf(one); other = parentOf(other); }
    return [one, other];
  }
  function goesUp(from, to) {
    const [one, other] = partsOf(items[from], items[to]);
    return one !== other && one.level >= other.level;
  }

  function refresh() {
    state.visible = [];
    state.opened = [];
    const walk = (item) => {
      for (const part of item.children) {
        if (part.open && !part.leaf) {
          state.opened.push(part);
          walk(part);
        } else {
          state.visible.push(part);
          shownAs.fill(part.id, part.id, part.end);
        }
      }
    };
    walk(root);
    state.bundles = new Map();
    state.out = new Map();
    state.into = new Map();
    for (const arrow of arrows) {
      const from = shownAs[arrow.from], to = shownAs[arrow.to];
      if (from === to && arrow.from !== arrow.to) continue;
      let count = 0;
      for (const kind of kinds) count += arrow.counts[kind];
      if (!count) continue;
      let bundle = state.bundles.get(key(from, to));
      if (!bundle) {
        bundle = { from, to, arrows: [], count: 0, eager: 0, ring: false, violation: false, up: goesUp(from, to) };
        state.bundles.set(key(from, to), bundle);
        if (!state.out.has(from)) state.out.set(from, []);
        if (!state.into.has(to)) state.into.set(to, []);
        state.out.get(from).push(bundle);
        state.into.get(to).push(bundle);
      }
      bundle.arrows.push(arrow);
      bundle.count += count;
      if (kinds.has(0)) bundle.eager += arrow.counts[0];
      bundle.ring ||= arrow.ring !== NONE;
      bundle.violation ||= arrow.violations.length > 0;
    }
    if (state.chosen) state.chosen = stillThere(state.chosen);
  }

  // What is chosen, as it is shown now: what has been folded away is its package.
  function stillThere(chosen) {
    if (chosen.item !== undefined) {
      const item = items[chosen.item];
      for (let above = parentOf(item); above !== root; above = parentOf(above)) if (!above.open) chosen = { item: above.id };
      return chosen;
    }
    const from = shownAs[chosen.from], to = shownAs[chosen.to];
    return state.bundles.has(key(from, to)) ? { from, to } : null;
  }

  function changed(what) {
    if (what !== "choice") refresh();
    for (const listener of listeners) listener(what);
  }

  function reveal(id) {
    for (let above = parentOf(items[id]); above !== root; above = parentOf(above)) above.open = true;
  }

  function toggle(item) {
    if (item.leaf) return;
    item.open = !item.open;
    changed("tree");
  }

  function foldAround(item) {
    const around = item.open && !item.leaf ? item : parentOf(item);
    if (around === root) return;
    around.open = false;
    state.chosen = { item: around.id };
    changed("tree");
  }

  const packages = items.filter((item) => !item.leaf);
  function unfoldLevel() {
    const folded = state.visible.filter((item) => !item.leaf);
    for (const item of folded) item.open = true;
    changed("tree");
  }
  function foldLevel() {
    const deepest = Math.max(...state.opened.map((item) => item.depth));
    for (const item of state.opened) if (item.depth === deepest) item.open = false;
    changed("tree");
  }

  function choose(chosen) {
    state.chosen = chosen;
    changed("choice");
  }
  function chooseItem(id) { reveal(id); state.chosen = { item: id }; changed("tree"); }
  function chooseArrow(from, to) {
    reveal(from); reveal(to);
    state.chosen = { from, to };
    changed("tree");
  }

  // Open at first: as asked; else down to the packages whose parts rules order, else while there is little to see.
  function openAtFirst() {
    if (data.open) {
      for (const item of packages) item.open = item.name.split(".").length < data.open;
      return;
    }
    const ordered = new Set(data.orders.map(([, name]) => name));
    const much = 40, few = Math.min(10, root.children.reduce((sum, item) => sum + item.modules, 0) / 20);
    let seen = root.children.length;
    const open = (item) => {
      if (item === root || item.open) return;
      open(parentOf(item));
      item.open = true;
      seen += item.children.length - 1;
    };
    for (const item of packages) if (ordered.has(item.name) && (seen === root.children.length || seen + item.children.length <= much)) open(item);
    const ahead = root.children.filter((item) => !item.leaf && !item.open);
    while (ahead.length) {
      ahead.sort((one, other) => other.modules - one.modules);
      const item = ahead.shift();
      if (item.modules < few || seen + item.children.length - 1 > much) continue;
      item.open = true;
      seen += item.children.length - 1;
      ahead.push(...item.children.filter((part) => !part.leaf && !part.open));
    }
  }

  openAtFirst();
  refresh();
  return {
    data, items, root, arrows, violations, rings, kinds, state, NONE, key, shownAs,
    at, parentOf, linksOf, counted: (count) => format.format(count), goesUp, changed, reveal, toggle, foldAround, unfoldLevel, foldLevel, choose, chooseItem, chooseArrow,
    layerOf: (item) => (item.order === NONE ? null : { rule: data.orders[item.order][0], label: data.orders[item.order][2][item.layer] }),
    listen: (listener) => listeners.push(listener),
    isLit: (bundle) => bundle.ring || bundle.violation,
  };
})();
