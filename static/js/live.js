// Asks whether anything is new: every 2 s, every 20 s when nobody looks. Nothing moves under the reader.
(() => {
  const NEAR = 2000;
  const FAR = 20000;
  let timer = 0;

  const ask = () => {
    document.querySelectorAll("[data-live]").forEach((element) => {
      if (window.htmx) window.htmx.trigger(element, "watch");
    });
    plan();
  };

  const plan = () => {
    clearTimeout(timer);
    timer = setTimeout(ask, document.hidden ? FAR : NEAR);
  };

  document.addEventListener("visibilitychange", plan);
  plan();
})();
