// Keyboard shortcuts. Off while a field has focus; "?" lists them and switches them off (WCAG 2.1.4).
(() => {
  const STORE = "inspector-keys";
  const HELP = [
    ["/", "search"],
    ["[ k", "previous turn or row"],
    ["] j", "next turn or row"],
    ["n p", "next, previous change or finding"],
    ["g", "go to line"],
    ["1–6", "views of a turn"],
    ["c", "compare with the previous turn"],
    ["s", "share"],
    ["o Enter", "open or close"],
    [".", "fold or unfold this section; with Shift, all of them"],
    ["w", "wrap lines or not"],
    ["y", "copy the address of this place; Shift and click marks lines"],
    ["?", "this list"],
  ];
  const isOff = () => localStorage.getItem(STORE) === "off";
  const go = (selector) => {
    const link = document.querySelector(selector);
    if (link) link.click();
    return Boolean(link);
  };

  const step = (selector, by) => {
    const all = [...document.querySelectorAll(selector)].filter((element) => element.offsetParent !== null);
    if (!all.length) return;
    const at = all.findIndex((element) => element === document.activeElement || element.contains(document.activeElement));
    const next = all[Math.min(all.length - 1, Math.max(0, at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by))];
    const focus = next.matches("a, summary, button") ? next : next.querySelector("a, summary");
    if (!focus) return;
    focus.focus({ preventScroll: true });
    next.scrollIntoView({ block: "center" });
  };

  const copyPlace = async () => {
    await navigator.clipboard.writeText(location.href);
    let note = document.getElementById("copied");
    if (!note) {
      note = document.createElement("p");
      note.id = "copied";
      note.className = "picked";
      note.setAttribute("role", "status");
      document.body.append(note);
    }
    note.textContent = "Address copied";
    setTimeout(() => note.remove(), 1600);
  };

  const PANELS = ".panel > details, details.call";
  const top = () => document.querySelector(".turnbar")?.getBoundingClientRect().bottom || 0;
  const here = () =>
    document.activeElement.closest(".panel, details.call")?.querySelector(":scope > summary, :scope > details > summary")?.parentElement ||
    [...document.querySelectorAll(PANELS)].find((panel) => panel.getBoundingClientRect().bottom > top() + 8);

  const fold = () => {
    const panel = here();
    if (!panel) return false;
    panel.open = !panel.open;
    panel.querySelector("summary").focus({ preventScroll: true });
    if (panel.getBoundingClientRect().top < top()) panel.closest(".panel, details.call").scrollIntoView();
    return true;
  };

  const foldAll = () => {
    const panels = [...document.querySelectorAll(PANELS)].filter((panel) => panel.open || !panel.hasAttribute("hx-get"));
    const close = panels.some((panel) => panel.open);
    panels.forEach((panel) => { panel.open = !close; });
    return true;
  };

  const help = () => {
    let dialog = document.getElementById("keys-help");
    if (!dialog) {
      dialog = document.createElement("dialog");
      dialog.id = "keys-help";
      dialog.className = "dialog dialog--keys";
      const heading = document.createElement("h2");
      heading.textContent = "Keyboard shortcuts";
      const list = document.createElement("dl");
      HELP.forEach(([keys, words]) => {
        const name = document.createElement("dt");
        keys.split(" ").forEach((key) => {
          const cap = document.createElement("kbd");
          cap.className = "kbd";
          cap.textContent = key;
          name.append(cap, " ");
        });
        const what = document.createElement("dd");
        what.textContent = words;
        list.append(name, what);
      });
      const form = document.createElement("form");
      form.method = "dialog";
      const off = document.createElement("button");
      off.className = "btn";
      off.value = "toggle";
      const close = document.createElement("button");
      close.className = "btn btn--primary";
      close.textContent = "Close";
      form.append(off, close);
      dialog.append(heading, list, form);
      dialog.addEventListener("close", () => {
        if (dialog.returnValue === "toggle") localStorage.setItem(STORE, isOff() ? "on" : "off");
        dialog.returnValue = "";
      });
      document.body.append(dialog);
    }
    dialog.querySelector("button").textContent = isOff() ? "Switch shortcuts on" : "Switch shortcuts off";
    dialog.showModal();
  };

  const act = (key) => {
    const inList = document.querySelector("[data-rows]");
    const changes = "[data-change] summary, .finding a.where, .code__line.is-err .code__no, .code__line.is-warn .code__no";
    if (key === "/") return document.getElementById("q")?.focus();
    if (key === "g") return document.getElementById("goto")?.focus();
    if (key === "[" || key === "k") return go('[rel="prev"]') || (inList && step("[data-rows] tbody tr", -1));
    if (key === "]" || key === "j") return go('.stepper [rel="next"], .card__head [rel="next"]') || (inList && step("[data-rows] tbody tr", 1));
    if (key === "n") return step(changes, 1);
    if (key === "p") return step(changes, -1);
    if (key === "c" || key === "s") return go(`[data-key="${key}"]`);
    if (key === ".") return fold();
    if (key === ">" || key === ":") return foldAll();
    if (key === "w") return go("[data-wrap]");
    if (key === "o") return document.activeElement.closest("summary, a")?.click();
    if (key === "y") return copyPlace();
    if (/^[1-6]$/.test(key)) return go(`nav.tabs > a:nth-child(${key})`);
    return false;
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target.closest("input, select, textarea, [contenteditable], dialog[open]")) return;
    if (event.key === "?") return help();
    if (isOff()) return;
    if (act(event.key) !== false && /^[/g]$/.test(event.key)) event.preventDefault();
  });

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-keys-help]")) help();
  });
})();
