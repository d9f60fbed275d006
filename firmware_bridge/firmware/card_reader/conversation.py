"""The device's side of PROTOCOL.md: bytes and milliseconds since the start in, lines out; no machine in here."""

from . import limits
from .board import Outputs
from .wire import Decoder, Line, encode


class Identity:
    """What the device says of itself in HELLO."""

    def __init__(self, device: str, seats: str, firmware: str, lights: bool, buzzer: bool) -> None:
        self.device = device
        self.seats = seats
        self.firmware = firmware
        self.lights = lights
        self.buzzer = buzzer
        self.protocol = limits.PROTOCOL


class Conversation:
    """One boot of a device. ``boot`` is a fresh nonce; ``lying`` are the cards (seat, uid) found at the start."""

    def __init__(self, me: Identity, boot: str, outputs: Outputs, lying: list[tuple[str, str]]) -> None:
        self.me = me
        self.boot = boot
        self.cards = list(lying)
        self.down = ""
        self.greeted = False
        self.dropped = 0
        self._outputs = outputs
        self._decoder = Decoder()
        self._events: list[tuple[int, bytes]] = []
        self._last_seq = 0
        self._hellos = 0
        self._hello_at = 0
        self._beats = 0
        self._beat_at = 0
        self._send_at = 0
        self._tries = 0
        self._session = ""
        self._last_command = 0
        self._last_did = True
        self._output: list[bytes] = []

    def lay(self, seat: str, uid: str, now: int) -> None:
        """The reader at ``seat`` sees a card that was not there before."""
        self.cards.append((seat, uid))
        self._event("SCAN", seat, uid, now)

    def lift(self, seat: str, uid: str, now: int) -> None:
        """The reader at ``seat`` no longer sees a card."""
        self.cards.remove((seat, uid))
        self._event("GONE", seat, uid, now)

    def receive(self, data: bytes, now: int) -> None:
        """Take bytes from the box."""
        for line in self._decoder.feed(data):
            self._obey(line, now)

    def tick(self, now: int) -> None:
        """Do what is due: HELLO while not greeted; the beat and the waiting event once greeted."""
        if not self.greeted:
            if now >= self._hello_at:
                self._say_hello(now)
            return
        if now >= self._beat_at:
            self._beat(now)
        if self._events and now >= self._send_at:
            self._send_event(now)

    def take_output(self) -> list[bytes]:
        """The lines to send now, oldest first; each is given once."""
        output, self._output = self._output, []
        return output

    def _event(self, kind: str, seat: str, uid: str, now: int) -> None:
        if len(self._events) >= limits.QUEUE_LIMIT:
            self.dropped += 1
            return
        self._last_seq += 1
        says = [("boot", self.boot), ("seat", seat), ("uid", uid), ("ms", str(now))]
        self._events.append((self._last_seq, encode(self._last_seq, kind, says)))
        if len(self._events) == 1:
            self._tries, self._send_at = 0, now

    def _obey(self, line: Line, now: int) -> None:
        if line.kind == "WHO":
            self.greeted = False
            self._say_hello(now)
        elif line.kind in ("LIGHT", "BUZZ", "SNAPSHOT"):
            if self.greeted:
                self._command(line, now)
        elif line.value("boot") != self.boot:
            return
        elif line.kind == "GREET" and whole(line.value("proto"), 9999) == self.me.protocol:
            if is_name(line.value("session")):
                self._greeting(line.value("session"), now)
        elif line.kind == "REFUSE" and whole(line.value("proto"), 9999) is not None and is_name(line.value("why")):
            self.greeted = False
            self._hello_at = now + limits.HELLO_REFUSED_MS
        elif line.kind == "ACK" and self._events and self._events[0][0] == line.seq:
            self._events.pop(0)
            self._tries, self._send_at = 0, now

    def _greeting(self, session: str, now: int) -> None:
        if session != self._session:
            self._session, self._last_command = session, 0
            if self.me.lights:
                for seat in self.me.seats:
                    self._outputs.light(seat, False)
        self.greeted = True
        self._tries, self._send_at = 0, now
        self._beat(now)

    def _command(self, line: Line, now: int) -> None:
        light = light_of(line) if line.kind == "LIGHT" else None
        buzz = buzz_of(line) if line.kind == "BUZZ" else None
        if (light is None and buzz is None and line.kind != "SNAPSHOT") or line.seq < self._last_command:
            return
        again = line.seq == self._last_command
        self._last_command = line.seq
        if line.kind == "SNAPSHOT":
            self._say_cards(line.seq, now)
            return
        if not again:
            self._last_did = self._carry_out(light, buzz, now)
        self._say(line.seq, "DONE", [("boot", self.boot), ("did", flag(self._last_did))])

    def _carry_out(self, light: tuple[str, bool] | None, buzz: list[int] | None, now: int) -> bool:
        if light is not None and self.me.lights and light[0] in self.me.seats:
            self._outputs.light(light[0], light[1])
            return True
        if buzz is not None and self.me.buzzer:
            self._outputs.buzz(buzz, now)
            return True
        return False

    def _say_cards(self, command: int, now: int) -> None:
        says = [("boot", self.boot), ("upto", str(self._last_seq)), ("ms", str(now))]
        self._say(command, "CARDS", says + self.cards[-limits.MAX_CARDS :])

    def _say_hello(self, now: int) -> None:
        self._hellos += 1
        self._hello_at = now + limits.HELLO_EVERY_MS
        me = self.me
        says = [
            ("proto", str(me.protocol)),
            ("id", me.device),
            ("boot", self.boot),
            ("fw", me.firmware),
            ("seats", me.seats),
            ("lights", flag(me.lights)),
            ("buzzer", flag(me.buzzer)),
            ("ms", str(now)),
        ]
        self._say(self._hellos, "HELLO", says)

    def _beat(self, now: int) -> None:
        self._beats += 1
        self._beat_at = now + limits.BEAT_EVERY_MS
        says = [("boot", self.boot), ("ms", str(now)), ("waiting", str(len(self._events)))]
        says.append(("dropped", str(self.dropped)))
        if self.down:
            says.append(("down", self.down))
        self._say(self._beats, "BEAT", says)

    def _send_event(self, now: int) -> None:
        self._send_at = now + min(limits.RETRY_FIRST_MS * 2**self._tries, limits.RETRY_MOST_MS)
        self._tries = min(self._tries + 1, 8)
        self._output.append(self._events[0][1])

    def _say(self, seq: int, kind: str, fields: list[tuple[str, str]]) -> None:
        self._output.append(encode(seq, kind, fields))


def flag(on: bool) -> str:
    """A yes or no on the wire."""
    return "1" if on else "0"


def whole(text: str, most: int, least: int = 0) -> int | None:
    """A whole number within its limits; None for anything else."""
    if not 1 <= len(text) <= 16:
        return None
    for letter in text:
        if letter not in "0123456789":
            return None
    number = int(text)
    return number if least <= number <= most else None


def is_name(text: str) -> bool:
    """Whether it is 1 to 40 printable characters without blanks."""
    if not 1 <= len(text) <= limits.MAX_NAME:
        return False
    return all("!" <= letter <= "~" for letter in text)


def light_of(line: Line) -> tuple[str, bool] | None:
    """The seat and whether its light shall be on; None for a LIGHT that is ill-formed."""
    seat, on = line.value("seat"), whole(line.value("on"), 1)
    return None if on is None or len(seat) != 1 or seat not in "NESW" else (seat, on == 1)


def buzz_of(line: Line) -> list[int] | None:
    """The times of a BUZZ; None for one that is ill-formed."""
    words = line.value("ms").split(",")
    if len(words) > limits.MAX_BUZZ:
        return None
    times = []
    for word in words:
        time = whole(word, limits.MAX_BUZZ_MS, 1)
        if time is None:
            return None
        times.append(time)
    return times
