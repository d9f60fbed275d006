"""Where the club texts are silent or unclear: the question, and what stands until a club decides otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tallybox.said import Said, say

DEFAULTS: Final[Mapping[str, Said]] = {
    "Q-01": say("Does the kitty count as a book? Yes, as the bidder's first; only so can a 7 be made."),
    "Q-02": say("Is the set of a NO bid doubled? Yes, the bid's points are its doubled value."),
    "Q-03": say(
        "Does a set cost the bidders points? No. A number here is the cost of each book bid, NO counting double."
    ),
    "Q-04": say("What is a set worth: the bid, or the books the setters made? The bid."),
    "Q-05": say("Who has won the hand? The side that gets its points."),
    "Q-06": say("Does a Boston need a bid of 7? No, all books taken by the bidders are enough."),
    "Q-07": say("Can the other side, or a ruling, make a Boston? No."),
    "Q-08": say("Does high or special of one number beat the other? Neither does."),
    "Q-09": say(
        "What happens to hands when the clock ends and nobody was late? The hand whose bid is recorded is "
        "finished; others count for nobody."
    ),
    "Q-10": say(
        "How do four rounds move? Even teams for round 2, odd teams for rounds 3 and 4: the even teams always move "
        "for the first half of the moves, rounded down."
    ),
    "Q-11": say("What does an odd number of teams do? A filler team plays; else the director scores the bye."),
    "Q-12": say("Does a hand lost by a renege or a late misdeal bring points? Yes, those of the bid."),
    "Q-13": say("What is a Tech worth before there is a contract? The high bid, else the lowest possible bid."),
    "Q-14": say("What does a call cost that is not proven? Nothing."),
    "Q-15": say(
        "What about a deal fault that is not in the list of misdeals? The director decides; before the first card, "
        "deal again."
    ),
    "Q-15a": say("Does the late rule need five hands? No, as many as the round has."),
    "Q-15b": say("Does a late side lose the hand too, or points only? The hand too."),
    "Q-15c": say("What if both sides are late? The director decides; void is the suggestion."),
    "Q-15d": say("What if both sides commit a Tech in one hand? The first proven one ends the hand."),
    "Q-15e": say("What if no number is left to correct a bid to? The director decides; the player passes otherwise."),
    "Q-15f": say("Who calls first? The player left of the dealer."),
    "Q-15g": say("How long is a round? 20 minutes for 4 hands, 25 for 5."),
    "Q-15h": say("Can a play-off hand be tied? No, one side wins every hand."),
    "Q-15i": say("Is the late award the same for every bid? Yes, 5 points a hand."),
    "Q-16": say(
        "What does a revoke cost? The offenders lose 10 for each trick of their bid; the opponents get theirs."
    ),
    "Q-17": say(
        "What becomes of nils in a revoke? They are bids: the offenders' count as set, the opponents' as made."
    ),
    "Q-18": say("Are there bags in a revoke? No, for neither side."),
    "Q-19": say("What if both sides revoke? The director decides; each loses its bid and nobody is credited."),
    "Q-20": say("Does a set nil's trick also count a point? Yes, a bag is worth one point."),
    "Q-21": say("Are a set nil's bags counted when the partner is set too? Yes."),
    "Q-22": say("May both partners bid nil? Yes, after a question. Blind nil is not played."),
    "Q-23": say("What stays on the bag counter? What is over ten; it starts at 0 in every round."),
    "Q-24": say("What if the totals are equal at the end? One more hand, until they differ."),
    "Q-25": say("May extra hands go beyond the tenth? Yes."),
    "Q-26": say("Does the World Series text count ten bags? It does not say; ten cost 100 as elsewhere."),
    "Q-27": say("Which card of the bid deck means what? The typed value decides; the cards are a help."),
    "Q-28": say("What does a set cost in the World Series text? 10 for each trick bid."),
    "Q-29": say("What is a trick over the bid worth? One point."),
    "Q-30": say("May 13 be bid with the MSO bid deck? No, there is no card for it."),
    "Q-31": say("May 13 be bid in the World Series? Yes."),
    "Q-32": say("Is there a lowest bid? One for each player, none for a team. A team's number counts without its nil."),
    "Q-33": say("May partners bid more than 13 together? Yes, after a question; it cannot be made."),
    "Q-34": say("What is a Jack or Queen that was meant as nil? What the card says: 11 or 12."),
    "Q-35": say("Which exposed cards cost 50 in the MSO text? Ace, King and Queen of spades."),
    "Q-36": say("Are penalty points taken from the offenders or given to the opponents? Taken."),
    "Q-37": say(
        "Do a corrected revoke and a refused lead cost points? In the MSO rules yes, by the card; in the World "
        "Series no."
    ),
    "Q-38": say(
        "How does the bidding go on after an accepted bid out of turn? To that player's left; who was passed over "
        "bids in order."
    ),
    "Q-39": say(
        "Must a declined bid be repeated? In the World Series yes, while it is still legal; in the MSO rules the "
        "player is free."
    ),
    "Q-40": say("Who accepts a bid or a lead out of turn? MSO: the opponents together. World Series: either of them."),
    "Q-41": say("What if a penalty is given after a limit was reached? The end is worked out again until signing."),
    "Q-42": say("Does a penalty in mid-hand end the round? No, limits are looked at after a hand."),
    "Q-43": say(
        "Is a spades round timed? No. If a clock is set, the hand whose bids are recorded is finished, and the "
        "higher total wins."
    ),
    "Q-44": say("What is a forfeit's score? An explicit loss; 500 to 0 is suggested for the tie-break."),
    "Q-45": say("How are Swiss ties ordered? Wins, net points, fewer bags, drawn lot."),
    "Q-46": say("Who deals again after a void hand? The same dealer."),
    "Q-47": say("May a shown bid card be changed? Until the next seat bids only with both sides' consent, then never."),
    "Q-48": say("What if a claim is not agreed? The director decides."),
    "Q-49": say("What does a drawn round count towards wins? Nothing; there are none unless a club allows ties."),
    "Q-50": say("What of the earlier results of a disqualified team? They stay; the team leaves the ranking."),
    "Q-51": say("Does one member of a side sign, or both? One, whose seat is kept."),
    "Q-52": say("When does a late team lose in spades? The director decides; a number of minutes can be set."),
    "Q-53": say("Who accepts a sheet? A monitor in bid whist, the director in spades."),
}
