"""What makes a venue out of an empty folder: its authority, certificates, broker settings and a bundle for each box."""
