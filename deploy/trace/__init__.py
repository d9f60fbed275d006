"""The path of one event or one sheet: from the reader's frame to what stands in the foot of a document."""
