// Typing a sheet from paper without the mouse: Enter goes on to the next field, the arrows go between hands.
(() => {
  "use strict";
  addEventListener("keydown", (event) => {
    const field = event.target.closest?.("#grid input");
    if (!field || event.ctrlKey || event.metaKey || event.altKey) return;
    const fields = [...document.querySelectorAll("#grid input")];
    const at = fields.indexOf(field);
    const [, hand, column] = /^h(\d+)_(\w+)$/.exec(field.name) || [];
    let to = null;
    if (event.key === "Enter") to = fields[at + (event.shiftKey ? -1 : 1)];
    if (event.key === "ArrowDown") to = document.getElementById(`h${Number(hand) + 1}_${column}`);
    if (event.key === "ArrowUp") to = document.getElementById(`h${Number(hand) - 1}_${column}`);
    if (!to) { if (event.key === "Enter") event.preventDefault(); return; }
    event.preventDefault();
    to.focus();
    to.select();
  });
})();
