"""What the pages show, as frozen values made by pure functions from the picture of the room."""
