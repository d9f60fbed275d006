"""The director's dashboard: pages over HTTP, one stream that tells what changed, and answers for programs."""
