// IngestCommand: furnished next.
