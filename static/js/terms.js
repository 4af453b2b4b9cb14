// The query field: suggestions complete the last term, not the whole line.
(() => {
  const field = document.querySelector("input[list]");
  const terms = field ? [...field.list.options].map((option) => [option, option.value]) : [];

  const offer = () => {
    const begin = field.value.slice(0, field.value.lastIndexOf(" ") + 1);
    terms.forEach(([option, term]) => { option.value = begin + term; });
  };

  field?.addEventListener("input", offer);
})();
