// Ingest: furnished next.
