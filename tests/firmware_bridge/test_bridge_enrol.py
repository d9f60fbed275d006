"""A venue's own cards: taught one by one over a simulated reader, kept in a file, and bid with."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest
from waiting import until

from firmware_bridge.decks import BUILT_IN, Decks, load_deck, read_decks
from firmware_bridge.decks.venue import LARGEST_FILE, Enrolled, read_enrolled, write_enrolled
from firmware_bridge.enrol import Enrolment, Found, check_pack
from firmware_bridge.errors import DeckError
from firmware_bridge.reader import CardRead, CardRemoved, CardShown, DeviceStamp, Snapshot
from firmware_bridge.simulator import SimulatedReader
from kiosk.cards import deck_of, meaning
from kiosk.view import CardCase
from tallybox.calls import NIL, Number
from tallybox.rules.ruleset import builtin
from tallybox.seats import Seat

STAMP = DeviceStamp("TBR-1", "b1", 1, 1)
MSO = [card.name for card in load_deck("mso").set_of(Seat.N)]
BRIDGE = [sys.executable, "-m", "deploy.cli", "bridge"]


class Shelf:
    """Where enrolled cards are kept in memory; full when told so."""

    def __init__(self) -> None:
        self.cards: tuple[Enrolled, ...] = ()
        self.full = False

    def keep(self, cards: tuple[Enrolled, ...]) -> None:
        if self.full:
            raise DeckError("decks.toml cannot be written: No space left on device. Choose another file.")
        self.cards = cards


def enrolment(shelf: Shelf, seat: Seat = Seat.N, deck: str = "mso", pack: str = "7") -> Enrolment:
    return Enrolment(deck, seat, pack, shelf.cards, shelf.keep)


def lay(at: Enrolment, uid: str, seat: Seat = Seat.E) -> tuple[Found, str]:
    step = at.take(CardRead(seat, uid, STAMP))
    assert step is not None
    return step.found, step.words


def lift(at: Enrolment, uid: str, seat: Seat = Seat.E) -> None:
    assert at.take(CardRemoved(seat, uid, STAMP)) is None


def laid(at: Enrolment, *uids: str) -> None:
    for uid in uids:
        assert lay(at, uid)[0] is Found.ENROLLED
        lift(at, uid)


# The walk


def test_a_set_is_enrolled_card_by_card_in_the_decks_order() -> None:
    shelf = Shelf()
    at = enrolment(shelf)
    prompts = [at.prompt]
    for number in range(13):
        laid(at, f"04A1{number:02}")
        prompts.append(at.prompt)
    assert prompts[:2] == ["1 of 13: lay the Ace.", "2 of 13: lay the 2."]
    assert prompts[-2:] == [
        "13 of 13: lay the King.",
        "North's set of pack 7 (MSO bid deck) is complete: 13 cards.",
    ]
    assert shelf.cards == tuple(Enrolled(f"04A1{n:02}", "7", "mso", Seat.N, card) for n, card in enumerate(MSO))
    assert at.next is None
    assert lay(at, "04FFFF") == (Found.COMPLETE, "That card is one too many. Take it up.")


def test_each_card_is_told_as_what_it_was_taken() -> None:
    at = enrolment(Shelf())
    step = at.take(CardShown("04A1", STAMP))
    assert step is not None
    assert step.words == "That is the Ace of North's set (MSO bid deck, pack 7). Take it up."
    assert step.next is not None
    assert step.next.face == "2"


def test_a_card_laid_twice_and_a_card_of_another_set_are_told_and_change_nothing() -> None:
    shelf = Shelf()
    shelf.cards = (Enrolled("04E1", "2", "wsos", Seat.E, "S"),)
    at = enrolment(shelf)
    laid(at, "04A1")
    kept = shelf.cards
    assert lay(at, "04A1") == (
        Found.AGAIN, "That card is enrolled already: it is the Ace of North's set (MSO bid deck, pack 7). Take it up.",
    )  # fmt: skip
    lift(at, "04A1")
    assert lay(at, "04E1") == (
        Found.DUPLICATE,
        "That card is enrolled already: it is the Skip of East's set (World Series UNO deck, pack 2). Take it up.",
    )
    lift(at, "04E1")
    assert lay(at, "BW-N-P") == (
        Found.PRINTED,
        "That card's code says what it is: it is of the printed bid whist deck, and needs no enrolling. Take it up.",
    )
    assert shelf.cards == kept
    assert at.prompt == "2 of 13: lay the 2."


def test_two_cards_at_once_enrol_neither() -> None:
    shelf = Shelf()
    at = enrolment(shelf)
    step = at.take(Snapshot.of(((Seat.E, "04A1"),), STAMP))
    assert step is not None
    assert step.words == "A card lies on the reader. Take up all cards, and lay one at a time."
    assert lay(at, "04B2", Seat.W) == (
        Found.TWO_CARDS, "Two cards lie on the reader. Take up all cards, and lay one at a time.",
    )  # fmt: skip
    assert lay(at, "04C3", Seat.N)[1].startswith("3 cards lie on the reader.")
    lift(at, "04A1")
    lift(at, "04B2", Seat.W)
    lift(at, "04C3", Seat.N)
    assert at.take(Snapshot.of((), STAMP)) is None
    assert shelf.cards == ()
    assert lay(at, "04B2")[0] is Found.ENROLLED


def test_the_last_card_can_be_undone_and_only_those_of_this_set() -> None:
    shelf = Shelf()
    shelf.cards = (Enrolled("04E1", "2", "mso", Seat.E, "A"),)
    at = enrolment(shelf)
    laid(at, "04A1", "04A2")
    step = at.undo()
    assert (step.found, step.words) == (
        Found.UNDONE, "The 2 of North's set (MSO bid deck, pack 7) is forgotten. Take it up.",
    )  # fmt: skip
    assert at.prompt == "2 of 13: lay the 2."
    assert at.undo().found is Found.UNDONE
    assert at.undo().words == "No card of North's set of pack 7 (MSO bid deck) is enrolled."
    assert shelf.cards == (Enrolled("04E1", "2", "mso", Seat.E, "A"),)


def test_an_enrolment_goes_on_where_it_stopped_and_other_packs_begin_anew() -> None:
    shelf = Shelf()
    laid(enrolment(shelf), "04A1", "04A2")
    assert enrolment(shelf).prompt == "3 of 13: lay the 3."
    assert enrolment(shelf, pack="8").prompt == "1 of 13: lay the Ace."
    assert enrolment(shelf, Seat.S).prompt == "1 of 13: lay the Ace."
    assert enrolment(shelf, deck="bid-whist").prompt == "1 of 13: lay the PASS."


def test_a_card_that_cannot_be_kept_is_not_enrolled() -> None:
    shelf = Shelf()
    at = enrolment(shelf)
    shelf.full = True
    with pytest.raises(DeckError, match="No space left"):
        at.take(CardRead(Seat.E, "04A1", STAMP))
    assert (at.prompt, at.cards) == ("1 of 13: lay the Ace.", ())
    shelf.full = False
    assert lay(at, "04A1")[0] is Found.ENROLLED


@pytest.mark.parametrize("pack", ["", "table seven", "seven-and-twenty", "ü"])
def test_a_packs_label_that_no_file_can_hold_is_refused(pack: str) -> None:
    with pytest.raises(DeckError, match="1 to 12 letters, digits and hyphens"):
        check_pack(pack)


# The file


def test_the_file_gives_back_what_was_written(tmp_path: Path) -> None:
    cards = (
        Enrolled('04"A\\1', "7", "mso", Seat.N, "K"), Enrolled("04A2", "7", "mso", Seat.N, "10"),
        Enrolled("04A3", "table-9", "wsos", Seat.W, "D2"), Enrolled("04A4", "7", "bid-whist", Seat.S, "7N"),
    )  # fmt: skip
    path = tmp_path / "decks.toml"
    write_enrolled(path, cards)
    assert read_enrolled(path) == cards
    assert [each.name for each in tmp_path.iterdir()] == ["decks.toml"]
    with pytest.raises(DeckError, match=r"cannot be written: No such file or directory"):
        write_enrolled(tmp_path / "no" / "decks.toml", cards)


GOOD = '[[sets]]\npack = "7"\ndeck = "mso"\nseat = "N"\n[sets.cards]\n04A1B2 = "K"\n'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("sets = ", "is not a TOML file"),
        ("\xff", "is not a TOML file"),
        (GOOD.replace('"mso"', '"tarot"'), "the decks are mso, wsos, bid-whist"),
        (GOOD.replace('"N"', '"Q"'), "Q"),
        (GOOD.replace('"7"', '"a pack"'), "pack"),
        (GOOD.replace('"K"', '"k"'), "sets"),
        (GOOD.replace('"K"', '"13"'), "04A1B2 stands for 13, which the MSO bid deck does not have. It has A, 2"),
        (GOOD.replace("04A1B2", '"04 A1"'), "sets"),
        (GOOD.replace("04A1B2", f'"{"x" * 33}"'), "sets"),
        (GOOD.replace("04A1B2", "MSO-N-K"), "is a printed card's code, which needs no enrolling"),
        (
            GOOD + GOOD.replace('"N"', '"E"'),
            "is the King of North's set (MSO bid deck, pack 7) and the King of East's set (MSO bid deck, pack 7)",
        ),
        (GOOD + 'colour = "red"\n', "sets"),
        ("#" * (LARGEST_FILE + 1), "is not a venue's card file"),
    ],
)
def test_a_file_that_cannot_be_used_names_file_and_place(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "decks.toml"
    path.write_text(text, "latin-1")
    with pytest.raises(DeckError) as refused:
        read_decks(path)
    assert says in refused.value.message
    assert str(path) in refused.value.message or "stands for" in refused.value.message


def test_a_file_that_is_not_there_says_what_makes_one(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match="“tallybox bridge enrol” makes a venue's card file"):
        read_decks(tmp_path / "decks.toml")
    with pytest.raises(DeckError, match="cannot be read"):
        read_decks(tmp_path)


# The decks at the table


VENUE = Decks(
    (
        Enrolled("04A1", "1", "mso", Seat.N, "K"), Enrolled("04A2", "2", "mso", Seat.N, "K"),
        Enrolled("04A3", "1", "mso", Seat.E, "Q"), Enrolled("04B1", "1", "wsos", Seat.E, "0"),
    )
)  # fmt: skip


def test_enrolled_cards_of_several_packs_call_what_the_printed_ones_call() -> None:
    deck = deck_of(builtin("mso-2000-spades"), VENUE)
    assert [meaning(deck, Seat.N, uid).call for uid in ("04A1", "04A2", "MSO-N-K")] == [NIL, NIL, NIL]
    queen = meaning(deck, Seat.E, "04A3")
    assert (queen.call, queen.why) == (Number(12), meaning(deck, Seat.E, "MSO-E-Q").why)
    assert deck.uid_for(NIL, Seat.N) == "MSO-N-K"
    assert deck.set_of(Seat.N) == load_deck("mso").set_of(Seat.N)


def test_an_enrolled_card_at_another_seat_and_one_of_another_deck_are_told() -> None:
    deck = deck_of(builtin("mso-2000-spades"), VENUE)
    other_seat = meaning(deck, Seat.S, "04A1").why
    assert other_seat is not None
    assert (other_seat.case, other_seat.text) == (
        CardCase.OTHER_SEAT, "That is North's card, and it lies at South. Take it up, or type the call.",
    )  # fmt: skip
    other_deck = meaning(deck, Seat.E, "04B1").why
    assert other_deck is not None
    assert (other_deck.case, other_deck.text) == (CardCase.OTHER_DECK, load_deck("mso").sentence_for("WSOS-E-0"))
    unknown = meaning(deck, Seat.E, "04FF").why
    assert unknown is not None
    assert unknown.case is CardCase.UNKNOWN_CARD


def test_a_venue_without_enrolled_cards_has_the_decks_as_they_come() -> None:
    assert BUILT_IN.deck("mso") is load_deck("mso")
    assert VENUE.deck("bid-whist").cards == load_deck("bid-whist").cards
    with pytest.raises(DeckError, match="There is no deck"):
        VENUE.deck("tarot")


# The command


class Walk:
    """``tallybox bridge enrol`` as a person has it: what it says, line by line, and what is typed."""

    def __init__(self, port: str, out: Path, *options: str) -> None:
        command = [*BRIDGE, "enrol", "--port", port, "--deck", "mso", "--out", str(out), *options]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.lines: list[str] = []
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))

    def type(self, order: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(order + "\n")
        self.process.stdin.flush()

    def hears(self, line: str, times: int = 1) -> None:
        until(lambda: self.lines.count(line) >= times)

    def end(self) -> int:
        code = self.process.wait(20)
        self._reading.join(5)
        return code

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


@pytest.fixture
def walks() -> Iterator[list[Walk]]:
    open_walks: list[Walk] = []
    yield open_walks
    for walk in open_walks:
        walk.close()


def test_a_person_enrols_a_set_stops_and_goes_on(tmp_path: Path, walks: list[Walk]) -> None:
    out = tmp_path / "decks.toml"
    with SimulatedReader("TBR-1") as reader:
        walk = Walk(reader.path, out, "--seat", "E", "--pack", "3")
        walks.append(walk)
        walk.hears("1 of 13: lay the Ace.")
        walk.hears("The reader works.")
        reader.lay(Seat.N, "04A1")
        walk.hears("2 of 13: lay the 2.")
        reader.lay(Seat.S, "04A2")
        walk.hears("Two cards lie on the reader. Take up all cards, and lay one at a time.")
        reader.lift(Seat.S)
        reader.lift(Seat.N)
        reader.lay(Seat.N, "04A1")
        walk.hears("That card is enrolled already: it is the Ace of East's set (MSO bid deck, pack 3). Take it up.")
        walk.type("undo")
        walk.hears("The Ace of East's set (MSO bid deck, pack 3) is forgotten. Take it up.")
        assert read_enrolled(out) == ()
        reader.lift(Seat.N)
        reader.lay(Seat.N, "04A9")
        walk.hears("2 of 13: lay the 2.", 3)
        assert reader.wait_idle(60)
        walk.type("dance")
        walk.hears("“dance” is no order.")
        walk.type("quit")
        assert walk.end() == 1
        assert walk.lines[-1] == "Stopped. What is enrolled is kept; the same command goes on here."
        assert read_enrolled(out) == (Enrolled("04A9", "3", "mso", Seat.E, "A"),)

        reader.lift(Seat.N)
        walk = Walk(reader.path, out, "--seat", "E", "--pack", "3")
        walks.append(walk)
        walk.hears("2 of 13: lay the 2.")
        walk.hears("The reader works.")
        for number in range(1, 13):
            reader.lay(Seat.W, f"04B{number}")
            assert reader.wait_idle(60)
            reader.lift(Seat.W)
        assert walk.end() == 0
        assert walk.lines[-1] == "East's set of pack 3 (MSO bid deck) is complete: 13 cards."
    deck = read_decks(out).deck("mso")
    assert [meaning(deck, Seat.E, uid).call for uid in ("04A9", "04B1", "04B12")] == [Number(1), Number(2), NIL]
    done = subprocess.run(
        [*BRIDGE, "enrol", "--port", "/dev/none", "--deck", "mso", "--out", str(out), "--seat", "E", "--pack", "3"],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    assert done.stdout == "East's set of pack 3 (MSO bid deck) is complete: 13 cards.\n"


def test_a_scanner_enrols_printed_stickers_and_a_missing_port_is_told(tmp_path: Path, walks: list[Walk]) -> None:
    out = tmp_path / "decks.toml"
    link = tmp_path / "scanner"
    walk = Walk(str(link), out, "--seat", "N", "--kind", "barcode")
    walks.append(walk)
    walk.hears("The reader is not plugged in. Check its cable; it goes on by itself.")
    master, slave = os.openpty()
    tty.setraw(slave)
    link.symlink_to(os.ttyname(slave))
    walk.hears("The reader works.")
    os.write(master, b"5901234123457\r\n")
    walk.hears("That is the Ace of North's set (MSO bid deck, pack 1). Take it up.")
    assert walk.process.stdin is not None
    walk.process.stdin.close()
    assert walk.end() == 1
    walk.process.stdin = None
    os.close(slave)
    os.close(master)
    assert read_enrolled(out) == (Enrolled("5901234123457", "1", "mso", Seat.N, "A"),)


def test_a_file_that_is_no_card_file_is_left_alone(tmp_path: Path) -> None:
    out = tmp_path / "decks.toml"
    out.write_text("colour = 1\n")
    done = subprocess.run(
        [*BRIDGE, "enrol", "--port", "/dev/none", "--deck", "mso", "--out", str(out), "--seat", "E"],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stdout, out.read_text()) == (2, "", "colour = 1\n")
    assert '"code": "deck"' in done.stderr
