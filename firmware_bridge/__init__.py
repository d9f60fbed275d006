"""Hardware: bid-card readers over serial, buzzer, lamp and buttons on GPIO, and the simulators of each."""
