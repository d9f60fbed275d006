// Keys for the person at the desk. A number and Enter open a table; one figure alone filters the room after a moment;
// C goes to the oldest call, S turns the sound on or off, ? shows the keys, Escape closes what is open.
(() => {
  "use strict";
  const ALONE = 1000; // ms after which a single figure is meant as a filter
  const FORGET = 4000; // ms after which a number that nobody finished is forgotten
  const shown = document.getElementById("goto");
  const keys = document.getElementById("keys");
  let number = "", forget = 0, alone = 0;
  const filter = () => (/^[1-9]$/.test(number) ? document.querySelector(`a.filter[data-key="${number}"]`) : null);
  const show = () => {
    const word = filter()?.dataset.word;
    shown.textContent = !number ? "" : `Table ${number}: press Enter${word ? `. Wait to see ${word}` : ""}`;
  };
  const clear = () => { number = ""; clearTimeout(alone); show(); };

  const figure = (key) => {
    number = (number + key).replace(/^0+/, "");
    clearTimeout(forget);
    clearTimeout(alone);
    forget = setTimeout(clear, FORGET);
    const wanted = filter();
    if (wanted) alone = setTimeout(() => location.assign(wanted.href), ALONE);
    show();
  };
  const letters = {
    c: () => document.querySelector(".waits.open .forward")?.focus(),
    s: () => document.getElementById("sound")?.click(),
    "?": () => keys?.showModal(),
  };

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || keys?.open) return;
    const busy = event.target.closest("input:not([type=radio]), textarea, select");
    if (event.key === "Escape") {
      const open = document.querySelector("details.ask[open]");
      if (open) { open.removeAttribute("open"); open.querySelector("summary").focus(); }
      return clear();
    }
    if (busy) return;
    if (/^[0-9]$/.test(event.key) && number.length < 4) return figure(event.key);
    if (event.key === "Enter" && number) {
      event.preventDefault();
      clearTimeout(alone);
      const tile = document.getElementById(`table-${number}`);
      location.assign(tile ? tile.querySelector("a").href : `/tables/${number}`);
      return;
    }
    letters[event.key.toLowerCase()]?.();
  });

  // A click beside an open sheet closes it; nothing is decided by that.
  addEventListener("click", (event) => {
    if (event.target.closest("[data-keys]")) keys?.showModal();
    for (const open of document.querySelectorAll("details.ask[open]"))
      if (!open.contains(event.target) || event.target.closest("[data-close]")) open.removeAttribute("open");
  });
})();
