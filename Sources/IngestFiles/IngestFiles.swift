// IngestFiles: furnished next.
