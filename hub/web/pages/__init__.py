"""The pages people read: one file for each part of the desk, with its doors.

Endpoints are plain functions: they run in threads, so nothing here holds the streams up.
"""
