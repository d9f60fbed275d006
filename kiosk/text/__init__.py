"""Every sentence of the screens goes through here: English is the source, another language may stand in for it."""

from kiosk.text.catalogue import LANGUAGES, _, language, ngettext, speak, spoken, told, tongue, use

__all__ = ["LANGUAGES", "_", "language", "ngettext", "speak", "spoken", "told", "tongue", "use"]
