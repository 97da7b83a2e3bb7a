// Where everything stands: boxes in boxes, level below level, layers as bands. A function of the tree and what is open.
const Layout = (() => {
  const FONT = "16px system-ui, sans-serif";
  const GAP = 14, LINE_GAP = 10, LEVEL_GAP = 30, PAD = 14, HEAD = 28, BAND_HEAD = 20, BAND_PAD = 10;
  const SPREAD = 70, SWAY = [0, 0.22, -0.22];
  const BREADTH = 2.1; // how much broader than high a box is to be, about
  const pen = document.createElement("canvas").getContext("2d");
  const widths = new Map();

  function textWidth(text) {
    if (!widths.has(text)) { pen.font = FONT; widths.set(text, pen.measureText(text).width); }
    return widths.get(text);
  }

  // A box with its contents placed from its own upper left corner.
  function box(item) {
    if (!item.open || item.leaf) {
      const widest = item.leaf ? textWidth(item.label) : 1.08 * Math.max(textWidth(item.label), textWidth(Layout.counted(item)));
      return { item, w: Math.max(54, Math.ceil(widest) + 22), h: item.leaf ? 28 : 44, boxes: [], bands: [] };
    }
    const parts = item.children.map(box);
    const area = parts.reduce((sum, part) => sum + (part.w + GAP) * (part.h + LINE_GAP), 0);
    const widest = Math.max(...parts.map((part) => part.w));
    const levels = runs(parts, (part) => part.item.level).reduce((sum, level) => sum + Math.max(...level.map((part) => part.h)) + LEVEL_GAP, 0);
    const breadth = Math.max(widest, Math.sqrt(area * BREADTH), Math.min(levels * 0.9, 4 * widest));
    const bands = runs(parts, (part) => `${part.item.order} ${part.item.layer}`);
    const banded = bands.some((band) => band[0].item.order !== Model.NONE);
    const found = { item, w: 0, h: 0, boxes: parts, bands: [] };
    let y = item === Model.root ? 0 : HEAD, turn = 0;
    for (const band of bands) {
      const top = y;
      if (banded) y += BAND_HEAD;
      for (const level of runs(band, (part) => part.item.level)) {
        for (const line of lines(level, breadth)) {
          // Spread, and each line a little to another side than the last, so that fewer arrows run behind boxes.
          const slack = breadth - line.reduce((sum, part) => sum + part.w + GAP, -GAP);
          const gap = Math.min(SPREAD, slack / (line.length + 1));
          let x = PAD + (slack - gap * (line.length - 1)) / 2 + SWAY[turn % SWAY.length] * Math.max(0, slack - gap * (line.length + 1));
          turn += 1;
          for (const part of line) { part.x = x; part.y = y; x += part.w + GAP + gap; }
          y += Math.max(...line.map((part) => part.h)) + LINE_GAP;
        }
        y += LEVEL_GAP - LINE_GAP;
      }
      y -= LEVEL_GAP;
      if (banded) {
        y += BAND_PAD;
        found.bands.push({ x: PAD / 2, y: top, w: breadth + PAD, h: y - top, of: band[0].item });
        y += GAP / 2;
      } else y += LEVEL_GAP;
    }
    if (!banded) y -= LEVEL_GAP;
    found.w = breadth + 2 * PAD;
    found.h = y + PAD;
    return found;
  }

  function runs(list, keyOf) {
    const found = [];
    let last;
    for (const one of list) {
      const key = keyOf(one);
      if (!found.length || key !== last) found.push([]);
      found[found.length - 1].push(one);
      last = key;
    }
    return found;
  }

  function lines(level, breadth) {
    const found = [[]];
    let width = 0;
    for (const part of level) {
      if (width && width + part.w > breadth) { found.push([]); width = 0; }
      found[found.length - 1].push(part);
      width += part.w + GAP;
    }
    return found;
  }

  // Every box and band with its absolute upper left corner, outer ones first, and how large all is.
  function place() {
    const boxes = [], bands = [];
    const walk = (one, x, y) => {
      if (one.item !== Model.root) boxes.push({ item: one.item, x, y, w: one.w, h: one.h });
      one.bands.forEach((band, index) => bands.push({ ...band, x: x + band.x, y: y + band.y, other: index % 2 === 1, depth: one.item.depth }));
      for (const part of one.boxes) walk(part, x + part.x, y + part.y);
    };
    const all = box(Model.root);
    walk(all, 0, 0);
    return { boxes, bands, w: all.w, h: all.h };
  }

  return { place, counted: (item) => `${Model.counted(item.modules)} module${item.modules === 1 ? "" : "s"}` };
})();
