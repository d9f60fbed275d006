// Keys for the person at the desk: a number and Enter open a table, C goes to the oldest call, Escape closes a sheet.
(() => {
  "use strict";
  const shown = document.getElementById("goto");
  let number = "", forget = 0;
  const show = () => { shown.textContent = number ? `Table ${number}: press Enter` : ""; };
  const clear = () => { number = ""; show(); };

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const busy = event.target.closest("input:not([type=radio]), textarea, select");
    if (event.key === "Escape") {
      const open = document.querySelector("details.ask[open]");
      if (open) { open.removeAttribute("open"); open.querySelector("summary").focus(); }
      return clear();
    }
    if (busy) return;
    if (/^[0-9]$/.test(event.key) && number.length < 4) {
      number = (number + event.key).replace(/^0+/, "");
      clearTimeout(forget);
      forget = setTimeout(clear, 4000);
      return show();
    }
    if (event.key === "Enter" && number) {
      event.preventDefault();
      const tile = document.getElementById(`table-${number}`);
      location.assign(tile ? tile.querySelector("a").href : `/tables/${number}`);
      return;
    }
    if (event.key === "c" || event.key === "C") document.querySelector(".waits.open .forward")?.focus();
  });

  // A click beside an open sheet closes it; nothing is decided by that.
  addEventListener("click", (event) => {
    for (const open of document.querySelectorAll("details.ask[open]"))
      if (!open.contains(event.target) || event.target.closest("[data-close]")) open.removeAttribute("open");
  });
})();
