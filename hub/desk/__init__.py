"""What people at the desk decide: plans that are pure, and the director's use cases that journal them."""
