// Two soft tones when a table calls, again while nobody has claimed it for a minute, and a title that flashes meanwhile.
// A browser gives no sound before somebody has touched the page, so it is asked for: the button says how it stands.
(() => {
  "use strict";
  const AGAIN = 60000; // ms without a claim after which a call sounds again
  const FLASH = 10000; // ms for which the title flashes while somebody looks at the page
  const calls = () => new Map([...(document.getElementById("calls-now")?.dataset.calls || "").split(" ").filter(Boolean)
    .map((each) => each.split("@"))]);
  const heard = new Map(); // call → when it sounded last
  let sound = null;

  // --- the tones
  const muted = () => localStorage.getItem("tallybox-sound") === "off";
  const tone = (at, pitch) => {
    const voice = sound.createOscillator(), volume = sound.createGain();
    voice.type = "sine";
    voice.frequency.value = pitch;
    volume.gain.setValueAtTime(0, at);
    volume.gain.linearRampToValueAtTime(0.18, at + 0.03);
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.42);
    voice.connect(volume).connect(sound.destination);
    voice.start(at);
    voice.stop(at + 0.45);
  };
  const ring = () => {
    if (!sound || sound.state !== "running" || muted()) return;
    tone(sound.currentTime, 587);
    tone(sound.currentTime + 0.28, 440);
    document.documentElement.dataset.rang = String(Number(document.documentElement.dataset.rang || 0) + 1);
  };
  const wake = () => {
    sound ??= new AudioContext();
    (sound.state === "running" ? Promise.resolve() : sound.resume()).then(say, say);
  };
  for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, wake, { once: true });

  // --- the button
  const say = () => {
    const button = document.getElementById("sound");
    if (!button) return;
    const ready = sound?.state === "running";
    button.querySelector("span").textContent = muted() ? "Sound off" : ready ? "Sound on" : "Sound: click";
    button.setAttribute("aria-pressed", String(!muted()));
    button.hidden = false;
  };
  addEventListener("click", (event) => {
    if (!event.target.closest("#sound")) return;
    localStorage.setItem("tallybox-sound", muted() ? "on" : "off");
    wake();
  });

  // --- the title
  let plain = document.title, since = 0, flashing = 0;
  const flash = () => {
    const waiting = [...calls().values()];
    const seen = document.visibilityState === "visible" && performance.now() - since > FLASH;
    if (!waiting.length || seen) { clearInterval(flashing); flashing = 0; document.title = plain; return; }
    document.title = document.title === plain ? `Table ${waiting[0].split(":")[1]} calls – Tallybox` : plain;
  };

  // --- what is new
  const look = () => {
    const now = performance.now(), open = calls();
    let rings = false;
    for (const call of heard.keys()) if (!open.has(call)) heard.delete(call);
    for (const call of open.keys()) {
      if (heard.has(call) && now - heard.get(call) < AGAIN) continue;
      heard.set(call, now);
      rings = true;
    }
    if (!rings) return;
    ring();
    since = now;
    flashing ||= setInterval(flash, 1000);
  };
  document.addEventListener("htmx:afterSettle", () => {
    const title = document.getElementById("calls-now")?.dataset.title;
    if (title && title !== plain) { plain = title; if (!flashing) document.title = plain; }
    say();
    look();
  });
  setInterval(look, 5000);
  addEventListener("DOMContentLoaded", () => { plain = document.title; say(); look(); });
})();
