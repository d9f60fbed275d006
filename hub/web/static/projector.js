// The projector turns its slides by itself, every twelve seconds. Space holds it, the arrow keys step.
(() => {
  "use strict";
  if (!document.querySelector("main.projector")) return;
  const EVERY = 12000;
  const all = () => [...document.querySelectorAll(".p-slide")];
  let at = Math.max(0, all().findIndex((slide) => !slide.hidden)), held = false, turning = 0;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  const show = (moved) => {
    const slides = all();
    if (!slides.length) return;
    at = ((at % slides.length) + slides.length) % slides.length;
    slides.forEach((slide, index) => { slide.hidden = index !== at; });
    document.querySelectorAll("#dots i").forEach((dot, index) => dot.classList.toggle("on", index === at));
    const word = document.getElementById("held");
    if (word) word.hidden = !held;
    if (moved && !calm.matches) slides[at].animate([{ opacity: 0 }, { opacity: 1 }], { duration: 150, easing: "ease-out" });
  };
  const plan = () => {
    clearTimeout(turning);
    if (!held) turning = setTimeout(() => { at += 1; show(true); plan(); }, EVERY);
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1 }[event.key];
    if (event.key === " ") held = !held;
    else if (step) at += step;
    else return;
    event.preventDefault();
    show(Boolean(step));
    plan();
  });
  document.addEventListener("screen:fresh", () => show(false));
  show(false);
  plan();
})();
