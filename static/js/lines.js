// Lines: a range by shift and click, its text and its address; wrapping; copying a change as a patch.
(() => {
  const RANGE = /^#([LR])(\d+)-\1(\d+)$/;
  const STORE = "inspector-wrap";
  let first = null;

  const lineOf = (letter, number) => document.getElementById(`${letter}${number}`);
  const clear = () => document.querySelectorAll(".is-picked").forEach((line) => line.classList.remove("is-picked"));

  const picked = () => [...document.querySelectorAll(".is-picked")];
  const textOf = (lines) => lines.map((line) => line.querySelector("code").textContent).join("\n");

  const bar = () => {
    let element = document.getElementById("picked");
    const lines = picked();
    if (lines.length < 2) return element?.remove();
    if (!element) {
      element = document.createElement("div");
      element.id = "picked";
      element.className = "picked";
      element.setAttribute("role", "status");
      document.body.append(element);
    }
    element.replaceChildren();
    const words = document.createElement("span");
    words.textContent = `${lines.length} lines`;
    element.append(words);
    [["Copy text", () => textOf(lines)], ["Copy link", () => location.href]].forEach(([name, make]) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "btn btn--small";
      button.textContent = name;
      button.addEventListener("click", async () => {
        await navigator.clipboard.writeText(make());
        button.textContent = "Copied";
      });
      element.append(button);
    });
  };

  const show = () => {
    clear();
    const found = RANGE.exec(location.hash);
    if (found) {
      const [low, high] = [Number(found[2]), Number(found[3])].sort((a, b) => a - b);
      for (let number = low; number <= Math.min(high, low + 5000); number += 1) {
        lineOf(found[1], number)?.classList.add("is-picked");
      }
      const begin = lineOf(found[1], low);
      const inside = begin?.closest("details");
      if (inside) inside.open = true;
      begin?.scrollIntoView({ block: "center" });
    }
    bar();
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest(".code__no");
    if (!link) return;
    const id = link.getAttribute("href").slice(1);
    if (!/^[LR]\d+$/.test(id)) return;
    const url = new URL(location.href);
    const number = id.slice(1);
    if (id[0] === "L" && !url.searchParams.has("tab")) url.searchParams.set("line", number);
    if (event.shiftKey && first && first[0] === id[0] && first !== id) {
      event.preventDefault();
      const [low, high] = [first, id].sort((a, b) => a.slice(1) - b.slice(1));
      if (url.searchParams.has("line")) url.searchParams.set("line", low.slice(1));
      url.hash = `${low}-${high}`;
      history.replaceState(history.state, "", url);
      getSelection().removeAllRanges();
      return show();
    }
    first = id;
    // The address that opens the panel on the server too: a fragment alone never gets there.
    event.preventDefault();
    url.hash = "";
    history.replaceState(history.state, "", url);
    location.hash = id;
    return show();
  });

  const patchOf = (panel) =>
    [...panel.querySelectorAll("table.diff tr")]
      .filter((row) => row.querySelector("td.op"))
      .map((row) => (row.querySelector("td.op").dataset.n || " ").replace("\u2212", "-") + row.querySelector("code").textContent)
      .join("\n");

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy-patch]");
    if (!button) return;
    await navigator.clipboard.writeText(patchOf(button.closest(".panel")));
    button.dataset.said = "Copied";
    setTimeout(() => delete button.dataset.said, 1600);
  });

  const wrap = (off) => {
    document.documentElement.toggleAttribute("data-nowrap", off);
    document.querySelectorAll("[data-wrap]").forEach((button) => {
      button.hidden = false;
      button.setAttribute("aria-pressed", String(!off));
    });
  };
  const stored = () => localStorage.getItem(STORE) === "off";

  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-wrap]")) return;
    localStorage.setItem(STORE, stored() ? "on" : "off");
    wrap(stored());
  });

  document.addEventListener("htmx:after:swap", () => wrap(stored()));
  addEventListener("hashchange", show);
  document.querySelector("nav.tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  wrap(stored());
  if (RANGE.test(location.hash)) show();
})();
