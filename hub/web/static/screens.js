// Screens for everybody: the clock counts by itself, and the page fetches itself again when something changed or
// every so often. Nothing here can act.
(() => {
  "use strict";
  const first = document.getElementById("screen");
  if (!first) return;
  const GAP = 1000; // ms between two fetches
  const DEAF = 25000; // ms without a sign of life after which the screen says so
  let offset = Number(first.dataset.now) - performance.now();
  let heard = performance.now();
  const now = () => performance.now() + offset;
  const pad = (value) => String(value).padStart(2, "0");
  const text = (seconds) => {
    const minutes = Math.floor(seconds / 60), hours = Math.floor(minutes / 60);
    return hours ? `${hours}:${pad(minutes % 60)}:${pad(seconds % 60)}` : `${pad(minutes)}:${pad(seconds % 60)}`;
  };

  const show = () => {
    for (const node of document.querySelectorAll("[data-until]")) {
      const left = Math.max(0, Math.ceil((Number(node.dataset.until) - now()) / 1000)), said = text(left);
      if (node.textContent !== said) node.textContent = said;
      const clock = node.closest("[role=timer]"), counts = clock.querySelector(".says").textContent === "Time left";
      clock.classList.toggle("end", counts && left === 0);
      clock.classList.toggle("warn", counts && left > 0 && left <= 300);
      clock.classList.toggle("long", said.length > 5);
    }
    const cut = document.getElementById("cut");
    if (cut) cut.hidden = performance.now() - heard < DEAF;
  };
  const tick = () => { show(); setTimeout(tick, 1000 - (now() % 1000) + 5); };

  // --- fetched again: as a whole, without losing what somebody chose or opened
  let last = -GAP, planned = 0;
  const changed = () => {
    if (planned) return;
    planned = setTimeout(fetchAgain, Math.max(0, GAP - (performance.now() - last)));
  };
  const fetchAgain = async () => {
    planned = 0;
    last = performance.now();
    const old = document.getElementById("screen");
    if (old.contains(document.activeElement) && document.activeElement.matches("select, input")) return;
    try {
      const answer = await fetch(old.dataset.from, { headers: { "HX-Request": "true" }, signal: AbortSignal.timeout(8000) });
      if (!answer.ok) return;
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("screen");
      if (!fresh) return;
      heard = performance.now();
      offset = Number(fresh.dataset.now) - heard;
      const open = [...old.querySelectorAll("details[open]")].map((node) => node.id), focused = document.activeElement?.id;
      for (const id of open) fresh.querySelector(`#${CSS.escape(id)}`)?.setAttribute("open", "");
      old.replaceWith(fresh);
      if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
      show();
      document.dispatchEvent(new Event("screen:fresh"));
    } catch { /* the next one may come through; the screen says when none did for long */ }
  };

  // --- told by a stream, or asking every so often
  let wait = 1000;
  const open = (address) => {
    const source = new EventSource(address);
    const hear = (event) => { heard = performance.now(); offset = JSON.parse(event.data).now - heard; };
    source.addEventListener("open", () => { wait = 1000; heard = performance.now(); changed(); });
    source.addEventListener("change", (event) => { hear(event); changed(); });
    source.addEventListener("beat", hear);
    source.addEventListener("error", () => {
      if (source.readyState !== EventSource.CLOSED) return;
      setTimeout(() => open(address), wait + Math.random() * 500);
      wait = Math.min(wait * 2, 15000);
    });
  };
  if (first.dataset.stream) open(first.dataset.stream);
  else {
    const every = Number(first.dataset.every) * 1000;
    const again = () => { if (!document.hidden) changed(); setTimeout(again, every * (0.8 + Math.random() * 0.4)); };
    setTimeout(again, every);
    document.addEventListener("visibilitychange", () => { if (!document.hidden) changed(); });
  }
  addEventListener("DOMContentLoaded", () => { document.documentElement.dataset.ready = ""; });
  tick();
})();
