"""The MFRC522 driver against a model of the chip and of cards in its field, bit by bit."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from mfrc522_chip import Card, Chip, crc_a

from firmware_bridge.firmware.card_reader import mfrc522
from firmware_bridge.firmware.card_reader.mfrc522 import Mfrc522
from firmware_bridge.firmware.card_reader.presence import MISSES, Presence

FOUR = st.binary(min_size=4, max_size=4).filter(lambda uid: uid[0] != mfrc522.CASCADE_TAG)
SEVEN = st.binary(min_size=7, max_size=7).filter(lambda uid: uid[0] != mfrc522.CASCADE_TAG)
UIDS = st.one_of(FOUR, SEVEN)


def names(*uids: bytes) -> list[str]:
    return [uid.hex().upper() for uid in uids]


@settings(deadline=None)
@given(st.binary(max_size=30))
def test_the_crc_is_the_standards(data: bytes) -> None:
    assert mfrc522.with_crc(data) == data + crc_a(data)


def test_the_crc_of_a_halt_is_the_one_in_the_standard() -> None:
    assert mfrc522.with_crc(b"\x50\x00") == b"\x50\x00\x57\xcd"


@settings(deadline=None)
@given(UIDS)
def test_a_card_is_read_at_every_look_by_its_whole_uid(uid: bytes) -> None:
    reader = Mfrc522(Chip([Card(uid)]))
    assert [reader.cards() for _ in range(5)] == [names(uid)] * 5


@settings(deadline=None)
@given(st.lists(UIDS, min_size=2, max_size=2, unique=True))
@example([b"\x01\x02\x03\x04", b"\x01\x02\x03\x84"])
@example([b"\x00\x00\x00\x00", b"\x00\x00\x00\x80"])
@example([b"\x01\x02\x03\x04", b"\x01\x02\x03\x04\x05\x06\x07"])
@example([b"\x01\x02\x03\x04\x05\x06\x07", b"\x01\x02\x03\x04\x05\x06\x87"])
def test_two_cards_at_one_seat_are_both_read(uids: list[bytes]) -> None:
    seen = Mfrc522(Chip([Card(uid) for uid in uids])).cards()
    assert seen is not None
    assert sorted(seen) == sorted(names(*uids))


@settings(deadline=None)
@given(st.lists(UIDS, min_size=3, max_size=3, unique=True))
def test_of_three_cards_two_real_ones_are_told(uids: list[bytes]) -> None:
    seen = Mfrc522(Chip([Card(uid) for uid in uids])).cards()
    assert seen is not None
    assert len(seen) == 2
    assert set(seen) < set(names(*uids))


def test_an_empty_field_has_no_card_and_is_off_between_looks() -> None:
    chip = Chip()
    reader = Mfrc522(chip)
    assert [reader.cards(), reader.cards()] == [[], []]
    assert (chip.fields, chip.read(mfrc522.TX_CONTROL) & mfrc522.BOTH_DRIVERS) == (2, 0)


def test_a_card_has_the_five_milliseconds_of_the_standard_to_wake_up() -> None:
    chip = Chip([Card(b"abcd")])
    reader = Mfrc522(chip)
    reader.cards()
    before = chip.paused
    reader.cards()
    assert chip.paused - before == 5


@pytest.mark.parametrize("version", [0x00, 0xFF])
def test_a_missing_chip_is_told_and_a_chip_that_comes_back_is_set_up_anew(version: int) -> None:
    chip = Chip([Card(b"abcd")], version=version)
    reader = Mfrc522(chip)
    assert reader.cards() is None
    chip.version = 0x91
    assert reader.cards() == names(b"abcd")
    chip.lose_power()
    assert reader.cards() == names(b"abcd")


def test_a_chip_that_is_pulled_in_mid_look_is_not_mistaken_for_an_empty_field() -> None:
    class Pulled(Chip):
        def pause(self, ms: int) -> None:
            self.present = self.present and ms != mfrc522.FIELD_MS

    reader = Mfrc522(Pulled([Card(b"abcd")]))
    reader.cards()
    assert reader.cards() is None


def test_noise_on_the_air_is_no_card() -> None:
    assert Mfrc522(Chip([Card(b"abcd")], noise=True)).cards() == []


def broken_check(card: Card) -> None:
    class Wrong(Card):
        @property
        def levels(self) -> list[bytes]:
            return [super().levels[0][:4] + b"\x00"]

    card.__class__ = Wrong


def broken_sak(card: Card) -> None:
    class Wrong(Card):
        def hear(self, bits: list[int]) -> list[int] | None:
            said = super().hear(bits)
            return [*said[:-1], 1 - said[-1]] if said is not None and len(said) == 24 else said

    card.__class__ = Wrong


@pytest.mark.parametrize("damage", [broken_check, broken_sak])
def test_a_uid_whose_check_is_wrong_is_no_card(damage: Callable[[Card], None]) -> None:
    card = Card(b"abcd")
    damage(card)
    assert Mfrc522(Chip([card])).cards() == []


def test_a_card_is_gone_only_after_several_misses_in_a_row() -> None:
    presence = Presence()
    assert presence.look(["A"]) == (["A"], [])
    for _ in range(3):
        for _ in range(MISSES - 1):
            assert presence.look([]) == ([], [])
        assert presence.look(["A"]) == ([], [])
    told = [presence.look([]) for _ in range(MISSES + 2)]
    assert told == [([], [])] * (MISSES - 1) + [([], ["A"])] + [([], [])] * 2
    assert presence.look(["A"]) == (["A"], [])


@settings(deadline=None)
@given(st.lists(st.lists(st.sampled_from("ABC"), unique=True, max_size=2), max_size=40))
def test_cards_come_and_go_in_turn_whatever_the_looks_see(looks: list[list[str]]) -> None:
    presence = Presence()
    lying: list[str] = []
    for seen in looks:
        came, gone = presence.look(seen)
        assert not set(came) & set(lying)
        assert set(gone) <= set(lying) - set(seen)
        lying = [uid for uid in [*lying, *came] if uid not in gone]
        assert presence.cards == lying
        assert set(seen) <= set(lying)
