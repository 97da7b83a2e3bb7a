// The view of boxes and arrows, drawn by Cytoscape.js at the places that Layout gives.
const Graph = (() => {
  const MOST_ARROWS = 1200; // more ordinary arrows than these are drawn for what is chosen only
  const MOST_LABELS = 150;
  const MOST_BOWS = 400; // bent arrows tell those apart that would lie upon each other, and take longer to draw
  const host = document.getElementById("graph");
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  const nodeId = (id) => `i${id}`;
  const edgeId = (bundle) => `a${bundle.from}-${bundle.to}`;
  let hidden = 0;
  let stale = true;
  let extent = { w: 1, h: 1 };

  const cy = cytoscape({
    container: host, autoungrabify: true, boxSelectionEnabled: false, selectionType: "single", minZoom: 0.004, maxZoom: 4,
    style: style(), layout: { name: "preset" },
  });

  function style() {
    return [
      { selector: "node", style: {
        shape: "round-rectangle", width: "data(w)", height: "data(h)", label: "data(label)", color: colour("text"),
        "font-size": 16, "font-family": "system-ui, sans-serif", "text-valign": "center", "text-halign": "center", "text-wrap": "wrap",
        "background-color": colour("module"), "border-width": 1, "border-color": colour("edge"),
        "z-index-compare": "manual", "z-index": 200, "overlay-opacity": 0,
      } },
      { selector: ".folded", style: { "background-color": colour("folded"), "font-weight": 600, "border-color": colour("line") } },
      { selector: ".open", style: {
        "background-color": colour("box"), "text-valign": "top", "text-margin-y": 23, "font-weight": 600, "z-index": "data(depth)",
        "text-max-width": "data(w)", "text-wrap": "ellipsis",
      } },
      { selector: ".band", style: {
        shape: "rectangle", "background-color": colour("band"), "border-width": 0, "z-index": "data(depth)", events: "no",
      } },
      { selector: ".caption", style: {
        "background-opacity": 0, "border-width": 0, events: "no", "text-halign": "right", "font-size": 13, color: colour("faint"),
        "text-max-width": "data(most)", "text-wrap": "ellipsis", "z-index": "data(depth)",
      } },
      { selector: ".other", style: { "background-color": colour("band-other") } },
      { selector: "node.ring", style: { "border-color": colour("ring"), "border-width": 2, "border-style": "dashed" } },
      { selector: "node.violation", style: { "border-color": colour("violation"), "border-width": 3, "border-style": "solid" } },
      { selector: "edge", style: {
        width: "data(width)", "curve-style": "straight", "line-color": colour("line"), "target-arrow-color": colour("line"),
        "target-arrow-shape": "triangle", "arrow-scale": 0.8, opacity: 0.4, "z-index-compare": "manual", "z-index": 100,
        "font-size": 10, color: colour("text"), "text-background-color": colour("ground"), "text-background-opacity": 0.8,
        "text-background-padding": 1, label: "data(label)", "overlay-padding": 4, "loop-direction": "0deg",
      } },
      { selector: "edge.bent", style: { "curve-style": "unbundled-bezier", "control-point-distances": "data(bow)", "control-point-weights": 0.5 } },
      { selector: "edge.self", style: { "curve-style": "bezier" } },
      { selector: "edge.late", style: { "line-style": "dashed", "line-dash-pattern": [3, 4] } },
      { selector: "edge.up", style: { "line-color": colour("up"), "target-arrow-color": colour("up"), "line-style": "dotted", opacity: 0.75 } },
      { selector: "edge.ring", style: { "line-color": colour("ring"), "target-arrow-color": colour("ring"), "line-style": "dashed", opacity: 0.95, "z-index": 110 } },
      { selector: "edge.violation", style: {
        "line-color": colour("violation"), "target-arrow-color": colour("violation"), "line-style": "solid", opacity: 1, "z-index": 120,
      } },
      { selector: "edge.dim", style: { opacity: 0.15 } },
      { selector: "edge.dim.ring, edge.dim.violation", style: { opacity: 0.5 } },
      { selector: "edge.out", style: { "line-color": colour("out"), "target-arrow-color": colour("out"), opacity: 1, "z-index": 130 } },
      { selector: "edge.in", style: { "line-color": colour("in"), "target-arrow-color": colour("in"), opacity: 1, "z-index": 130 } },
      { selector: ".chosen", style: { "border-color": colour("chosen"), "border-width": 4, "border-style": "solid", opacity: 1, "z-index": 210 } },
      { selector: "edge.chosen", style: { width: 5 } },
      { selector: "edge.plain.chosen", style: { "line-color": colour("chosen"), "target-arrow-color": colour("chosen") } },
      { selector: "node.open.chosen", style: { "z-index": "data(depth)" } },
    ];
  }

  const litParts = () => {
    const broken = new Set();
    for (const violation of Model.violations) {
      if (violation.item !== Model.NONE && !violation.ends.length) broken.add(Model.shownAs[violation.item]);
    }
    const ringed = new Set();
    for (const ring of Model.rings) for (const member of ring.members) ringed.add(Model.shownAs[member]);
    return { broken, ringed };
  };

  function nodes() {
    const { boxes, bands, w: breadth, h: height } = Layout.place();
    extent = { w: breadth, h: height };
    const { broken, ringed } = litParts();
    const found = bands.flatMap((band, index) => {
      const layer = Model.layerOf(band.of);
      const depth = 2 * band.depth + 3;
      return [{
        group: "nodes", classes: `band${band.other ? " other" : ""}`, selectable: false,
        data: { id: `b${index}`, w: band.w, h: band.h, depth, label: "" },
        position: { x: band.x + band.w / 2, y: band.y + band.h / 2 },
      }, {
        group: "nodes", classes: "caption", selectable: false, position: { x: band.x + 4, y: band.y + 11 },
        data: { id: `l${index}`, w: 1, h: 1, depth, most: band.w - 8, label: layer ? layer.label : "in no layer" },
      }];
    });
    for (const { item, x, y, w, h } of boxes) {
      const open = item.open && !item.leaf;
      const classes = [open ? "open" : item.leaf ? "module" : "folded"];
      if (!open && ringed.has(item.id)) classes.push("ring");
      if (!open && broken.has(item.id)) classes.push("violation");
      const label = open || item.leaf ? item.label : `${item.label}\n${Layout.counted(item)}`;
      found.push({
        group: "nodes", classes: classes.join(" "), position: { x: x + w / 2, y: y + h / 2 },
        data: { id: nodeId(item.id), item: item.id, w, h, depth: 2 * item.depth + 2, label },
      });
    }
    return found;
  }

  function edges() {
    const all = [...Model.state.bundles.values()];
    const few = all.length <= MOST_ARROWS;
    const chosen = Model.state.chosen;
    const touched = (bundle) => chosen && (chosen.item === undefined ? bundle.from === chosen.from && bundle.to === chosen.to : within(bundle.from, chosen.item) || within(bundle.to, chosen.item));
    const drawn = all.filter((bundle) => Model.isLit(bundle) || touched(bundle) || (few && !Model.state.litOnly));
    hidden = all.length - drawn.length;
    const labelled = drawn.length <= MOST_LABELS;
    const bent = drawn.length <= MOST_BOWS;
    return drawn.map((bundle) => {
      const classes = [];
      if (bundle.up) classes.push("up");
      if (!Model.isLit(bundle)) classes.push("plain");
      if (bundle.ring) classes.push("ring");
      if (bundle.violation) classes.push("violation");
      if (!bundle.eager) classes.push("late");
      const bend = bent ? bow(bundle) : 0;
      if (bend) classes.push("bent");
      if (bundle.from === bundle.to) classes.push("self");
      return {
        group: "edges", classes: classes.join(" "),
        data: {
          id: edgeId(bundle), source: nodeId(bundle.from), target: nodeId(bundle.to), from: bundle.from, to: bundle.to,
          bow: bend,
          width: (bundle.violation ? 2.5 : 1) + Math.log10(bundle.count), label: labelled && bundle.count > 1 ? String(bundle.count) : "",
        },
      };
    });
  }

  // How far an arrow that leads steeply up or down is bent to its right.
  function bow(bundle) {
    const from = cy.getElementById(nodeId(bundle.from)).position(), to = cy.getElementById(nodeId(bundle.to)).position();
    const dx = Math.abs(from.x - to.x), dy = Math.abs(from.y - to.y);
    return dy < 90 ? 0 : Math.min(160, (0.22 * dy * dy) / (dy + 2 * dx));
  }

  const within = (id, package_) => id >= package_ && id < Model.items[package_].end;

  function draw() {
    if (host.hidden) { stale = true; return; }
    stale = false;
    cy.batch(() => {
      cy.elements().remove();
      cy.add(nodes());
      cy.add(edges());
      mark();
    });
  }

  function redrawEdges() {
    if (host.hidden) return;
    cy.batch(() => {
      cy.edges().remove();
      cy.add(edges());
      mark();
    });
  }

  function mark() {
    cy.elements().removeClass("dim chosen in out");
    const chosen = Model.state.chosen;
    if (!chosen) return;
    if (chosen.item === undefined) {
      const edge = cy.getElementById(edgeId(chosen));
      cy.edges().addClass("dim");
      edge.removeClass("dim").addClass("chosen");
      edge.connectedNodes().addClass("chosen");
      return;
    }
    cy.getElementById(nodeId(chosen.item)).addClass("chosen");
    cy.edges().forEach((edge) => {
      const from = within(edge.data("from"), chosen.item), to = within(edge.data("to"), chosen.item);
      if (from === to) { if (!from) edge.addClass("dim"); } else if (!edge.hasClass("ring") && !edge.hasClass("violation")) edge.addClass(from ? "out" : "in");
    });
  }

  // The place of something on the screen, which is to stay where it is when other things move.
  const placeOf = (id) => {
    const node = cy.getElementById(nodeId(id));
    return node.length ? { ...node.renderedPosition(), width: node.renderedWidth(), height: node.renderedHeight() } : null;
  };

  function keepInPlace(id, before) {
    const after = placeOf(id);
    const top = (place) => place.y - place.height / 2;
    if (before && after) cy.panBy({ x: before.x - after.x, y: top(before) - top(after) });
  }

  function showChosen() {
    const chosen = Model.state.chosen;
    if (!chosen || host.hidden) return;
    const ends = chosen.item === undefined ? [chosen.from, chosen.to] : [chosen.item];
    const found = ends.reduce((all, id) => all.union(cy.getElementById(nodeId(id))), cy.collection());
    if (!found.length) return;
    const seen = found.renderedBoundingBox();
    const inside = seen.x1 >= 0 && seen.y1 >= 0 && seen.x2 <= cy.width() && seen.y2 <= cy.height();
    if (inside && cy.zoom() > 0.35) return;
    const zoom = Math.max(cy.zoom(), 0.7);
    if (ends.length === 1) { cy.zoom(zoom); cy.center(found); } else {
      cy.fit(found, 80);
      if (cy.zoom() > 1) { cy.zoom(1); cy.center(found); }
    }
  }

  // As Cytoscape's own fit does, which would measure every label and arrow.
  function fit() {
    const margin = 24, most = 1;
    cy.resize();
    const zoom = Math.min(most, (cy.width() - 2 * margin) / extent.w, (cy.height() - 2 * margin) / extent.h);
    const level = Math.max(zoom, cy.minZoom());
    cy.viewport({ zoom: level, pan: { x: (cy.width() - extent.w * level) / 2, y: (cy.height() - extent.h * level) / 2 } });
  }

  // The nearest box in a direction from what is chosen.
  function move(dx, dy) {
    const chosen = Model.state.chosen;
    const start = chosen ? cy.getElementById(nodeId(chosen.item ?? chosen.to)) : null;
    if (!start || !start.length) { if (Model.state.visible.length) Model.choose({ item: Model.state.visible[0].id }); showChosen(); return; }
    const from = start.position();
    let best = null, least = Infinity;
    cy.nodes(".module, .folded").forEach((node) => {
      const x = node.position("x") - from.x, y = node.position("y") - from.y;
      const ahead = x * dx + y * dy, aside = Math.abs(x * dy) + Math.abs(y * dx);
      if (ahead <= 1 || node.same(start)) return;
      const far = ahead + 3 * aside;
      if (far < least) { least = far; best = node; }
    });
    if (best) { Model.choose({ item: best.data("item") }); showChosen(); }
  }

  cy.on("tap", (event) => {
    host.focus({ preventScroll: true });
    if (event.target === cy) { Model.choose(null); return; }
    if (event.target.isEdge()) { Model.choose({ from: event.target.data("from"), to: event.target.data("to") }); return; }
    const id = event.target.data("item");
    if (Model.state.chosen && Model.state.chosen.item === id && !Model.items[id].leaf) toggle(id);
    else Model.choose({ item: id });
  });
  cy.on("mouseover", "edge, .module, .folded", () => { host.style.cursor = "pointer"; });
  cy.on("mouseout", () => { host.style.cursor = ""; });

  function toggle(id) {
    const before = placeOf(id);
    Model.toggle(Model.items[id]);
    keepInPlace(id, before);
  }

  Model.listen((what) => {
    if (what === "choice") redrawEdges(); else draw();
  });

  return {
    draw, fit, move, toggle, showChosen, placeOf, cy,
    zoomBy: (factor) => cy.zoom({ level: cy.zoom() * factor, renderedPosition: { x: cy.width() / 2, y: cy.height() / 2 } }),
    hidden: () => hidden,
    restyle: () => cy.style(style()),
    show: (seen) => { host.hidden = !seen; if (seen) { cy.resize(); if (stale) draw(); } },
  };
})();
