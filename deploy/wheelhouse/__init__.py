"""The stick that travels to a venue: everything that a hub and its kiosks are installed from, without the internet."""
