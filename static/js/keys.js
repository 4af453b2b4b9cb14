// Keyboard shortcuts. Off while a field has focus; "?" lists them and switches them off (WCAG 2.1.4).
(() => {
  const STORE = "inspector-keys";
  const HELP = [
    ["/", "search"],
    ["j k", "next, previous turn or row"],
    ["] [", "next, previous section or version"],
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

  const top = () => document.querySelector(".turnbar, .controls")?.getBoundingClientRect().bottom || 0;

  // From where the focus is, or else from what is at the top of the window.
  const following = (all, by) => {
    const at = all.findIndex((element) => element.contains(document.activeElement));
    if (at >= 0) return all[at + by];
    if (by > 0) return all.find((element) => element.getBoundingClientRect().top > top() - 1);
    return all.findLast((element) => element.getBoundingClientRect().top < top() - 1);
  };

  const step = (selector, by) => {
    const all = [...document.querySelectorAll(selector)].filter((element) => element.offsetParent !== null);
    const next = following(all, by);
    const focus = next?.matches("a, summary, button") ? next : next?.querySelector("a, summary");
    if (!focus) return Boolean(all.length);
    focus.focus({ preventScroll: true });
    next.scrollIntoView({ block: next.offsetHeight > innerHeight / 2 ? "start" : "center" });
    return true;
  };

  // The address of the marked lines, else of the section that the reader is in.
  const place = () => {
    const panel = here()?.closest("[id]");
    if (/^#[LR]\d/.test(location.hash) || !panel) return location.href;
    const url = new URL(location.href);
    url.hash = panel.id;
    return url.href;
  };

  const copyPlace = async () => {
    await navigator.clipboard.writeText(place());
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

  const BEFORE = '.stepper [rel="prev"], .card__head [rel="prev"]';
  const AFTER = '.stepper [rel="next"], .card__head [rel="next"]';
  const PANELS = ".panel > details, details.call";
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
    const changes = "[data-change] summary, .finding a.where, .code__line.is-err .code__no, .code__line.is-warn .code__no";
    if (key === "/") return document.getElementById("q")?.focus();
    if (key === "g") return document.getElementById("goto")?.focus();
    if (key === "[") return step("section.panel", -1) || go(BEFORE);
    if (key === "]") return step("section.panel", 1) || go(AFTER);
    if (key === "k") return go(BEFORE) || step("[data-rows] tbody tr", -1);
    if (key === "j") return go(AFTER) || step("[data-rows] tbody tr", 1);
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
