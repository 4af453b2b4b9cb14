// Copy buttons: of an element on the page, or of a text that the server gives exactly.
(() => {
  const say = (button, words) => {
    const label = button.querySelector(".visually-hidden");
    const target = label || button;
    const before = button.title;
    button.title = words;
    button.dataset.said = words;
    target.setAttribute("aria-live", "polite");
    setTimeout(() => {
      button.title = before;
      delete button.dataset.said;
    }, 1600);
  };

  const textOf = async (button) => {
    if (button.dataset.copyFrom) return document.getElementById(button.dataset.copyFrom).textContent;
    const answer = await fetch(button.dataset.copy, { credentials: "same-origin" });
    if (!answer.ok) throw new Error(answer.statusText);
    return answer.text();
  };

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy], [data-copy-from]");
    if (!button) return;
    event.preventDefault();
    try {
      await navigator.clipboard.writeText(await textOf(button));
      say(button, "Copied");
    } catch {
      say(button, "Not copied");
    }
  });
})();
