// On the public page a chosen team is shown at once; without scripts the button beside it does the same.
(() => {
  "use strict";
  if (!document.querySelector(".public")) return;
  document.addEventListener("change", (event) => { if (event.target.id === "team") event.target.form.requestSubmit(); });
})();
