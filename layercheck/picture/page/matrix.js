// The view of packages against packages: a row imports what its columns stand for. Rows and columns go from the highest
// level to the lowest, so what lies below the diagonal goes up.
const Matrix = (() => {
  const CELL = 18, HEAD = 130;
  const host = document.getElementById("matrix");
  const canvas = host.querySelector("canvas");
  const expanse = document.getElementById("expanse");
  const pen = canvas.getContext("2d");
  let rows = [], place = new Map(), side = 240, over = null, waiting = false;

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

  // The package that is shown in parts around an item, if it is not all there is.
  const caption = (item) => {
    const around = Model.parentOf(item);
    return around === Model.root ? item.label : `${around.label}.${item.label}`;
  };

  function arrange() {
    rows = Model.state.visible;
    place = new Map(rows.map((item, index) => [item.id, index]));
    pen.font = "12px system-ui, sans-serif";
    const widest = rows.slice(0, 2000).reduce((most, item) => Math.max(most, pen.measureText(caption(item)).width), 60);
    side = Math.min(320, Math.ceil(widest) + 30);
    expanse.style.width = `${side + rows.length * CELL + 20}px`;
    expanse.style.height = `${Math.max(0, HEAD + rows.length * CELL + 20 - host.clientHeight)}px`;
    schedule();
  }

  function schedule() {
    if (waiting || host.hidden) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; draw(); });
  }

  function size() {
    const ratio = window.devicePixelRatio || 1;
    const w = host.clientWidth, h = host.clientHeight;
    if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
      canvas.width = Math.round(w * ratio);
      canvas.height = Math.round(h * ratio);
      canvas.style.width = `${w}px`;
      canvas.style.height = `${h}px`;
    }
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    return { w, h };
  }

  function shorter(text, width) {
    if (pen.measureText(text).width <= width) return text;
    let from = 1;
    while (from < text.length && pen.measureText(`…${text.slice(from)}`).width > width) from += 1;
    return `…${text.slice(from)}`;
  }

  function draw() {
    const { w, h } = size();
    const left = host.scrollLeft, top = host.scrollTop;
    const paint = Object.fromEntries(["ground", "raised", "edge", "text", "faint", "line", "up", "ring", "violation", "chosen", "folded", "box"].map((name) => [name, colour(name)]));
    const x = (column) => side + column * CELL - left, y = (row) => HEAD + row * CELL - top;
    const first = Math.max(0, Math.floor(top / CELL)), last = Math.min(rows.length - 1, Math.floor((top + h - HEAD) / CELL));
    const from = Math.max(0, Math.floor(left / CELL)), to = Math.min(rows.length - 1, Math.floor((left + w - side) / CELL));
    pen.fillStyle = paint.ground;
    pen.fillRect(0, 0, w, h);
    pen.save();
    pen.beginPath();
    pen.rect(side, HEAD, w, h);
    pen.clip();
    for (const item of Model.state.opened) block(item, x, y, paint);
    pen.font = "10px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    for (let row = first; row <= last; row += 1) {
      if (row >= from && row <= to) { pen.fillStyle = paint.edge; pen.fillRect(x(row), y(row), CELL - 1, CELL - 1); }
      for (const bundle of Model.state.out.get(rows[row].id) ?? []) {
        const column = place.get(bundle.to);
        if (column >= from && column <= to) cell(bundle, x(column), y(row), paint);
      }
    }
    cross(x, y, paint);
    pen.restore();
    heads(x, y, first, last, from, to, w, h, paint);
  }

  // A frame around the rows and columns of an open package, which are beside each other.
  function block(item, x, y, paint) {
    let first = -1, count = 0;
    for (let id = item.id; id < item.end; id += 1) if (place.has(id)) { if (first < 0) first = place.get(id); count += 1; }
    if (count < 1) return;
    pen.fillStyle = item.depth % 2 ? paint.raised : paint.box;
    pen.strokeStyle = paint.edge;
    pen.fillRect(x(first), y(first), count * CELL, count * CELL);
    pen.strokeRect(x(first) - 0.5, y(first) - 0.5, count * CELL, count * CELL);
  }

  function cell(bundle, x, y, paint) {
    pen.globalAlpha = Model.isLit(bundle) || bundle.up ? 0.9 : 0.25 + Math.min(0.5, Math.log10(bundle.count) / 4);
    pen.fillStyle = bundle.violation ? paint.violation : bundle.ring ? paint.ring : bundle.up ? paint.up : paint.line;
    pen.fillRect(x, y, CELL - 1, CELL - 1);
    pen.globalAlpha = 1;
    pen.fillStyle = Model.isLit(bundle) || bundle.up ? paint.ground : paint.text;
    pen.fillText(bundle.count < 1000 ? String(bundle.count) : `${Math.round(bundle.count / 1000)}k`, x + CELL / 2 - 0.5, y + CELL / 2);
  }

  function cross(x, y, paint) {
    const chosen = Model.state.chosen;
    pen.lineWidth = 2;
    pen.strokeStyle = paint.chosen;
    if (chosen && chosen.item === undefined) pen.strokeRect(x(place.get(chosen.to)), y(place.get(chosen.from)), CELL - 1, CELL - 1);
    else if (chosen && place.has(chosen.item)) {
      const at = place.get(chosen.item);
      pen.strokeRect(x(0), y(at), rows.length * CELL - 1, CELL - 1);
      pen.strokeRect(x(at), y(0), CELL - 1, rows.length * CELL - 1);
    }
    pen.lineWidth = 1;
    if (over) {
      pen.globalAlpha = 0.12;
      pen.fillStyle = paint.chosen;
      pen.fillRect(x(0), y(over.row), rows.length * CELL, CELL - 1);
      pen.fillRect(x(over.column), y(0), CELL - 1, rows.length * CELL);
      pen.globalAlpha = 1;
    }
  }

  function heads(x, y, first, last, from, to, w, h, paint) {
    pen.fillStyle = paint.ground;
    pen.fillRect(0, 0, side, h);
    pen.fillRect(0, 0, w, HEAD);
    pen.font = "12px system-ui, sans-serif";
    pen.textBaseline = "middle";
    pen.textAlign = "right";
    const chosen = Model.state.chosen;
    pen.save();
    pen.beginPath();
    pen.rect(0, HEAD, side, h);
    pen.clip();
    for (let row = first; row <= last; row += 1) {
      const item = rows[row];
      if ((chosen && (chosen.item === item.id || chosen.from === item.id)) || (over && over.row === row)) { pen.fillStyle = paint.folded; pen.fillRect(0, y(row), side, CELL - 1); }
      pen.fillStyle = item.leaf ? paint.text : paint.chosen;
      pen.fillText(`${shorter(caption(item), side - 26)} ${item.leaf ? "\u2007" : "+"}`, side - 5, y(row) + CELL / 2);
    }
    pen.restore();
    pen.save();
    pen.beginPath();
    pen.rect(side, 0, w, HEAD);
    pen.clip();
    pen.textAlign = "left";
    for (let column = from; column <= to; column += 1) {
      const item = rows[column];
      pen.save();
      pen.translate(x(column) + CELL / 2, HEAD - 5);
      pen.rotate(-Math.PI / 2);
      pen.fillStyle = item.leaf ? paint.text : paint.chosen;
      pen.fillText(shorter(caption(item), HEAD - 12), 0, 0);
      pen.restore();
    }
    pen.restore();
    pen.fillStyle = paint.faint;
    pen.textAlign = "right";
    pen.fillText("imports →", side - 6, HEAD - 10);
  }

  function hit(event) {
    const area = host.getBoundingClientRect();
    const left = event.clientX - area.left, top = event.clientY - area.top;
    return {
      row: top < HEAD ? -1 : Math.floor((top - HEAD + host.scrollTop) / CELL),
      column: left < side ? -1 : Math.floor((left - side + host.scrollLeft) / CELL),
    };
  }

  function choose(row, column) {
    const bundle = Model.state.bundles.get(Model.key(rows[row].id, rows[column].id));
    if (bundle) Model.choose({ from: bundle.from, to: bundle.to });
    else if (row === column) Model.choose({ item: rows[row].id });
    else Model.choose(null);
  }

  function pick(item) {
    if (Model.state.chosen && Model.state.chosen.item === item.id && !item.leaf) Model.toggle(item);
    else Model.choose({ item: item.id });
  }

  host.addEventListener("click", (event) => {
    const { row, column } = hit(event);
    if (row >= rows.length || column >= rows.length) return;
    if (row >= 0 && column >= 0) choose(row, column);
    else if (row >= 0) pick(rows[row]);
    else if (column >= 0) pick(rows[column]);
  });
  host.addEventListener("mousemove", (event) => {
    const { row, column } = hit(event);
    const inside = row >= 0 && column >= 0 && row < rows.length && column < rows.length;
    over = inside ? { row, column } : null;
    host.title = inside ? `${rows[row].name} → ${rows[column].name}` : "";
    schedule();
  });
  host.addEventListener("scroll", schedule);
  new ResizeObserver(() => { if (!host.hidden) arrange(); }).observe(host);

  // From cell to cell with arrows in them, or from one row to the next where a row is chosen.
  function move(dx, dy) {
    const chosen = Model.state.chosen;
    if (!chosen || (chosen.item !== undefined && !place.has(chosen.item))) { if (rows.length) Model.choose({ item: rows[0].id }); showChosen(); return; }
    if (chosen.item !== undefined) {
      const at = place.get(chosen.item);
      if (dx) {
        const columns = (Model.state.out.get(chosen.item) ?? []).map((bundle) => place.get(bundle.to)).sort((one, other) => one - other);
        if (columns.length) choose(at, dx > 0 ? columns[0] : columns[columns.length - 1]);
      } else if (rows[at + dy]) Model.choose({ item: rows[at + dy].id });
    } else {
      const row = place.get(chosen.from), column = place.get(chosen.to);
      const beside = dx ? (Model.state.out.get(chosen.from) ?? []).map((bundle) => place.get(bundle.to)) : (Model.state.into.get(chosen.to) ?? []).map((bundle) => place.get(bundle.from));
      const at = dx ? column : row, step = dx + dy;
      const ahead = beside.filter((one) => (one - at) * step > 0).sort((one, other) => (one - other) * step);
      if (ahead.length) choose(dx ? row : ahead[0], dx ? ahead[0] : column);
      else if (dx) Model.choose({ item: chosen.from });
    }
    showChosen();
  }

  function showChosen() {
    const chosen = Model.state.chosen;
    if (!chosen || host.hidden) return;
    const row = place.get(chosen.item ?? chosen.from), column = place.get(chosen.item ?? chosen.to);
    if (row === undefined) return;
    const into = (now, at, room) => (at < now ? at : at + CELL > now + room ? at + CELL - room : now);
    host.scrollTop = into(host.scrollTop, row * CELL, host.clientHeight - HEAD - CELL);
    if (chosen.item === undefined) host.scrollLeft = into(host.scrollLeft, column * CELL, host.clientWidth - side - CELL);
  }

  Model.listen((what) => {
    if (host.hidden) return;
    if (what === "choice") schedule(); else arrange();
  });

  return {
    move, showChosen, restyle: schedule,
    // The middle of a cell in the window.
    cellAt: (from, to) => {
      const area = host.getBoundingClientRect();
      return { x: area.left + side + place.get(to) * CELL - host.scrollLeft + CELL / 2, y: area.top + HEAD + place.get(from) * CELL - host.scrollTop + CELL / 2 };
    },
    show: (seen) => { host.hidden = !seen; if (seen) arrange(); },
  };
})();
