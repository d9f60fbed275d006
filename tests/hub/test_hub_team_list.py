"""A club's list of teams: read however it was saved, every fault named by its line, entered whole or not at all."""

from __future__ import annotations

import pytest
from hub_played_room import room
from hypothesis import given, settings
from hypothesis import strategies as st

from hub.desk.team_list import (
    LARGEST_BYTES,
    MOST_ROWS,
    Listed,
    as_csv,
    numbered,
    read_team_list,
)
from hub.errors import HubError


def teams(text: str | bytes) -> tuple[Listed, ...]:
    made = read_team_list(text if isinstance(text, bytes) else text.encode())
    assert made.faults == ()
    return made.teams


def faults(text: str | bytes, taken: tuple[int, ...] = ()) -> list[tuple[int, str]]:
    made = read_team_list(text if isinstance(text, bytes) else text.encode(), taken)
    return [(fault.line, fault.sentence) for fault in made.faults]


ONE = (Listed(2, ("Ines Ruiz", "Olga Marsh"), 7),)


@pytest.mark.parametrize(
    "text",
    [
        "number,player 1,player 2\n7,Ines Ruiz,Olga Marsh\n",
        "Player 2;Player 1;Team\nOlga Marsh;Ines Ruiz;7\n",
        "TEAM NO.\tFirst player\tPartner\r\n#7\t Ines  Ruiz\tOlga Marsh\r\n",
        "\ufeffNo,Players,Club\n7,Ines Ruiz / Olga Marsh,North\n",
        'nr;players\n7;"Ines Ruiz & Olga Marsh"\n',
    ],
)
def test_columns_are_found_by_their_names_in_any_order_and_separator(text: str) -> None:
    assert teams(text) == ONE


def test_list_without_a_heading_is_number_player_player_or_the_two_players() -> None:
    assert teams("7,Ines Ruiz,Olga Marsh") == (Listed(1, ("Ines Ruiz", "Olga Marsh"), 7),)
    assert teams("Ines Ruiz;Olga Marsh\nAda Bloom;Bea Cole") == (
        Listed(1, ("Ines Ruiz", "Olga Marsh")), Listed(2, ("Ada Bloom", "Bea Cole")),
    )  # fmt: skip


def test_quoted_fields_hold_separators_and_line_ends_and_lines_still_count() -> None:
    text = 'number,player 1,player 2\n1,"Ruiz, Ines","Marsh\nOlga"\n\n2,Ada Bloom,Bea Cole\n'
    assert teams(text) == (
        Listed(2, ("Ruiz, Ines", "Marsh Olga"), 1), Listed(5, ("Ada Bloom", "Bea Cole"), 2),
    )  # fmt: skip


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
def test_names_with_accents_are_read_in_the_usual_encodings(encoding: str) -> None:
    text = "number,player 1,player 2\n7,Inés Muñoz,Zoë Brønd\n"
    assert teams(text.encode(encoding)) == (Listed(2, ("Inés Muñoz", "Zoë Brønd"), 7),)


def test_every_fault_is_named_by_its_line() -> None:
    text = (
        "number,player 1,player 2,filler\n"
        "1,Ines Ruiz,\n"
        "x,Ada Bloom,Bea Cole\n"
        "3,Cleo Dean,Dora East\n"
        "3,Ella Fox,Fay Gold\n"
        f"5,{'W' * 65},Gia Hall,perhaps\n"
        "9,Hana Ivy,Iris Jay\n"
    )
    assert faults(text, (9,)) == [
        (2, "The second player has no name. Write down both players."),
        (3, "“x” is no team number. Write one from 1 to 9999, or leave it empty."),
        (5, "Number 3 stands in line 4 already. Give one of them another."),
        (6, f"“{'W' * 20}…” is longer than 64 characters. Shorten it."),
        (6, "“perhaps” does not say whether this is a filler team. Write yes, or leave it empty."),
        (7, "Number 9 plays already. Give this team another number, or leave it out."),
    ]


def test_list_as_a_whole_is_refused_with_a_sentence() -> None:
    assert faults("") == [(0, "The list is empty. Write one team a line: number, player, player.")]
    assert faults("number,player 1,player 2\n") == [
        (0, "The list holds a heading and no team. Write one team a line below it.")
    ]
    assert faults("number,club\n1,North") == [
        (1, "No column holds the players. Name the columns: number, player 1, player 2.")
    ]
    assert faults("number,player\n1,North") == [(1, "No column holds the second player. Name it player 2.")]
    assert faults(b"PK\x03\x04\0\0\0") == [(0, "This is no text file. Save the list as CSV and send that.")]
    assert faults(b"a" * (LARGEST_BYTES + 1)) == [(0, "The list has more than 64 KiB. Send it in parts.")]
    assert faults("A,B\n" * (MOST_ROWS + 2)) == [(0, f"The list has more than {MOST_ROWS} lines. Send it in parts.")]
    assert faults('number,player 1,player 2\n1,"Ines" Ruiz,Olga') == [
        (0, "Line 2 cannot be read: ',' expected after '\"'. Look at its quotation marks.")
    ]


def test_five_hundred_teams_are_read_and_columns_that_mean_nothing_are_named() -> None:
    text = "club,number,player 1,player 2\n" + "".join(f"N,{each},A {each},B {each}\n" for each in range(1, 501))
    made = read_team_list(text.encode())
    assert (len(made.teams), made.ignored, made.good) == (500, ("club",), True)
    assert made.told == "Read as UTF-8, fields apart by commas."


def test_teams_without_a_number_get_the_next_ones() -> None:
    listed = (Listed(1, ("A", "B")), Listed(2, ("C", "D"), 4), Listed(3, ("E", "F")))
    assert [team.number for team in numbered(listed, (2, 9))] == [10, 4, 11]


@settings(deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_give_teams_or_faults_and_never_both_as_good(content: bytes) -> None:
    made = read_team_list(content)
    assert made.good == (bool(made.teams) and not made.faults)
    assert made.teams or made.faults


NAME = st.text(
    st.characters(min_codepoint=33, max_codepoint=0x24F, exclude_characters="\x7f"), min_size=1, max_size=20
).filter(str.isprintable)


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(NAME.filter(str.isprintable), NAME.filter(str.isprintable), st.booleans()), min_size=1, max_size=8
    )
)
def test_what_the_preview_hands_on_is_read_the_same_again(made: list[tuple[str, str, bool]]) -> None:
    listed = tuple(Listed(at, (first, second), at - 1, filler) for at, (first, second, filler) in enumerate(made, 2))
    assert read_team_list(as_csv(listed).encode()).teams == listed


def test_many_teams_are_entered_all_or_none() -> None:
    made = room("capitol-5", 4)
    before = made.tournament
    with pytest.raises(HubError, match="A player has no name"):
        made.director.register_teams("dana", [(5, ("Ines", "Olga"), False), (6, ("Ada", " "), False)])
    assert made.tournament is before
    made.director.register_teams("dana", [(5, ("Ines", "Olga"), False), (6, ("Ada", "Bea"), True)])
    assert [(team.number, team.filler) for team in made.tournament.entrants.values()][-2:] == [(5, False), (6, True)]
