print("photo-ingest")
