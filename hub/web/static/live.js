// One stream per tab tells that something changed; the page then fetches itself again and keeps what is the same.
// The stream is opened here because the extension that comes with htmx 2 in its package still speaks to htmx 1.
(() => {
  "use strict";
  const root = document.documentElement;
  const cut = document.getElementById("cut");
  const GAP = 250; // ms between two fetches, so that a busy room costs a page at most four a second
  const GRACE = 3000; // ms a stream may need to open before the page says that it is not live
  const DEAF = 25000; // ms without a beat after which the page no longer calls itself live

  // --- the hub's clock, without trusting this machine's
  let offset = Number(document.body.dataset.now) - performance.now();
  const now = () => performance.now() + offset;
  let heard = performance.now();

  const pad = (value) => String(value).padStart(2, "0");
  const text = (seconds, short) => {
    const minutes = Math.floor(seconds / 60), hours = Math.floor(minutes / 60);
    if (hours) return `${hours}:${pad(minutes % 60)}:${pad(seconds % 60)}`;
    return `${short ? minutes : pad(minutes)}:${pad(seconds % 60)}`;
  };
  const put = (node, value) => { if (node.textContent !== value) node.textContent = value; };

  const show = () => {
    const at = now();
    for (const node of document.querySelectorAll("[data-since]"))
      put(node, text(Math.max(0, Math.floor((at - Number(node.dataset.since)) / 1000)), true));
    for (const node of document.querySelectorAll("[data-until]"))
      put(node, text(Math.max(0, Math.ceil((Number(node.dataset.until) - at) / 1000)), false));
    for (const node of document.querySelectorAll("[data-deadline]")) {
      const left = Math.max(0, Math.ceil((Number(node.dataset.deadline) - at) / 1000));
      put(node, text(left, false));
      const clock = node.closest(".clock");
      clock.classList.toggle("end", left === 0);
      clock.classList.toggle("warn", left > 0 && left <= 300);
    }
  };
  const tick = () => {
    show();
    listen();
    setTimeout(tick, 1000 - (now() % 1000) + 5);
  };

  // --- live, or “as of”
  const listen = () => {
    const quiet = performance.now() - heard;
    const lost = quiet > DEAF || (source.readyState !== EventSource.OPEN && quiet > GRACE);
    if (lost === root.classList.contains("lost")) return;
    root.classList.toggle("lost", lost);
    const word = document.getElementById("live-word");
    const last = new Date(heard + offset).toLocaleTimeString("en-GB");
    if (word) put(word, lost ? `as of ${last}` : "live");
    put(cut, lost ? `The hub does not answer. What you see is as of ${last}; the tables play on. Look at the computer it runs on.` : "");
  };

  let source = null, wait = 1000;
  const open = () => {
    source = new EventSource("/events");
    source.addEventListener("open", () => { wait = 1000; heard = performance.now(); listen(); changed(); });
    source.addEventListener("change", (event) => { hear(event); changed(); });
    source.addEventListener("beat", hear);
    source.addEventListener("error", () => {
      if (source.readyState !== EventSource.CLOSED) return; // the browser tries again by itself
      changed(); // whoever is not signed in any more is led to where people sign in
      setTimeout(open, wait + Math.random() * 500);
      wait = Math.min(wait * 2, 15000);
    });
  };
  const hear = (event) => {
    heard = performance.now();
    const said = JSON.parse(event.data);
    offset = said.now - performance.now();
  };

  let last = 0, planned = 0;
  const changed = () => {
    if (planned) return;
    planned = setTimeout(() => {
      planned = 0;
      last = performance.now();
      htmx.trigger(document.body, "changed");
    }, Math.max(0, GAP - (performance.now() - last)));
  };

  // --- a swap that keeps what is the same: focus, open sheets, chosen hands and scroll stay where they are
  const same = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName && a.id === b.id;
  const keep = (old, fresh, renewed) => {
    if (old.isEqualNode(fresh)) return;
    if (!same(old, fresh) || old.nodeName === "svg") return renew(old, fresh, renewed);
    if (old.nodeType !== Node.ELEMENT_NODE) { old.nodeValue = fresh.nodeValue; return; }
    for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
    for (const { name, value } of [...fresh.attributes]) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    keepChildren(old, fresh, renewed);
  };
  const keepChildren = (old, fresh, renewed) => {
    let here = old.firstChild;
    for (const child of [...fresh.childNodes]) {
      if (child.id) {
        const known = [...old.children].find((node) => node.id === child.id);
        if (known && known !== here) old.insertBefore(known, here), (here = known);
      }
      if (!here) { old.append(child); if (child.nodeType === Node.ELEMENT_NODE) renewed.push(child); continue; }
      const next = here.nextSibling;
      if (here.id && child.id && here.id !== child.id) { old.insertBefore(child, here); renewed.push(child); continue; }
      keep(here, child, renewed);
      here = next;
    }
    while (here) { const next = here.nextSibling; here.remove(); here = next; }
  };
  // A hand that a person chose stays chosen; without a choice the page shows the newest one.
  const yieldToChoice = (old, fresh) => {
    for (const chosen of old.querySelectorAll("input[type=radio]:checked"))
      if (!chosen.defaultChecked)
        for (const other of fresh.querySelectorAll(`input[name="${chosen.name}"]`)) other.removeAttribute("checked");
  };
  const renew = (old, fresh, renewed) => {
    const focused = old.contains(document.activeElement);
    old.replaceWith(fresh);
    if (fresh.nodeType !== Node.ELEMENT_NODE) return;
    renewed.push(fresh);
    if (focused) (fresh.querySelector("button, a, summary, input:not([type=hidden])") || fresh).focus?.();
  };

  htmx.defineExtension("keep", {
    isInlineSwap: (style) => style === "keep",
    handleSwap: (style, target, fragment) => {
      if (style !== "keep") return false;
      const fresh = fragment.querySelector("#live");
      const renewed = [];
      if (!fresh) return renewed;
      for (const node of fresh.querySelectorAll("noscript")) node.remove(); // a parsed one would take part in its form
      yieldToChoice(target, fresh);
      keep(target, fresh, renewed);
      const shown = fresh.getAttribute("hx-get");
      if (shown && shown !== location.pathname + location.search) history.replaceState(null, "", shown);
      return renewed;
    },
  });
  document.addEventListener("htmx:afterSettle", show);
  // What is kept may lead elsewhere by now: an address is read when it is used.
  document.addEventListener("htmx:configRequest", (event) => {
    const kept = event.detail.elt.getAttribute(`hx-${event.detail.verb}`);
    if (kept) event.detail.path = kept;
  });

  // --- what an act answered stays for as long as it takes to read it
  const said = document.getElementById("said");
  let clearing = 0;
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target !== said) return;
    said.classList.toggle("no", event.detail.xhr.status >= 400);
    clearTimeout(clearing);
    clearing = setTimeout(() => { said.textContent = ""; }, event.detail.xhr.status >= 400 ? 12000 : 5000);
    document.querySelectorAll("details.ask[open]").forEach((node) => node.removeAttribute("open"));
  });
  document.addEventListener("htmx:sendError", () => {
    said.classList.add("no");
    said.textContent = "The hub does not answer. Nothing was changed. Look at the computer it runs on, then try again.";
  });

  open();
  addEventListener("DOMContentLoaded", () => {
    root.dataset.ready = ""; // every script has taken hold: from here on a form is answered in the corner
    tick();
  });
})();
