"""What people do from the pages: one file for each part of the desk, with its doors."""
