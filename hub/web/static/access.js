// A PIN or a password is typed for one act: it does not stay on the screen for the next person.
(() => {
  "use strict";
  document.addEventListener("htmx:afterRequest", (event) => {
    const form = event.detail.elt;
    if (!(form instanceof HTMLFormElement)) return;
    const done = event.detail.xhr.status > 0 && event.detail.xhr.status < 400;
    if (done && form.hasAttribute("data-clears")) return form.reset();
    for (const typed of form.querySelectorAll(done ? "input[type=password]" : "input[name=pin]")) typed.value = "";
  });
})();
