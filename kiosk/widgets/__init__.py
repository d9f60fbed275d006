"""The kit the screens are made of: a tree of parts, its layout, its shapes, and the surface that paints it."""
