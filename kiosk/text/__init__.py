"""Every sentence of the screens goes through here: English is the source, a catalogue may stand in for it."""

from kiosk.text.catalogue import Catalogue, English, _, ngettext, speak

__all__ = ["Catalogue", "English", "_", "ngettext", "speak"]
