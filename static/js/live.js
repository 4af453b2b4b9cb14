// Asks whether anything is new: every 2 s, every 20 s when nobody looks. Nothing moves under the reader.
(() => {
  const NEAR = 2000;
  const FAR = 20000;
  const watching = () => document.querySelectorAll("[data-live]");
  let timer = 0;

  const say = (words, css) => {
    const light = document.getElementById("live");
    if (!light || light.textContent === words) return;
    light.ariaLive = css === "v-err" ? "polite" : "off";
    light.textContent = words;
    light.className = `live ${css}`;
  };

  const plan = () => {
    clearTimeout(timer);
    timer = setTimeout(ask, document.hidden ? FAR : NEAR);
  };

  const ask = () => {
    watching().forEach((element) => window.htmx?.trigger(element, "watch"));
    plan();
  };

  // Whether the server answers at all is told by the questions themselves.
  document.addEventListener("htmx:after:request", (event) => {
    if (event.target.closest?.("[data-live]")) say("Live", "v-live");
  });
  document.addEventListener("htmx:error", (event) => {
    if (event.target.closest?.("[data-live]")) say("No connection", "v-err");
  });
  document.addEventListener("visibilitychange", plan);
  if (watching().length) say("Live", "v-live");
  plan();
})();
