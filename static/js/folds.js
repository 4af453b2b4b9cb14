// Panels: remembers nothing, only closes open menus and opens the panel that an address points into.
(() => {
  document.addEventListener("click", (event) => {
    document.querySelectorAll("details.menu[open]").forEach((menu) => {
      if (!menu.contains(event.target)) menu.open = false;
    });
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    document.querySelectorAll("details.menu[open]").forEach((menu) => {
      menu.open = false;
      menu.querySelector("summary").focus();
    });
  });

  const reveal = () => {
    const name = decodeURIComponent(location.hash.slice(1));
    const target = name && document.getElementById(name);
    if (!target) return;
    const inside = target.closest("details") || target.querySelector(":scope > details");
    if (inside && !inside.open) {
      inside.open = true;
      target.scrollIntoView();
    }
  };

  addEventListener("hashchange", reveal);
  document.addEventListener("htmx:after:swap", reveal);
  reveal();
})();
