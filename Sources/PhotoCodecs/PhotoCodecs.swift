// PhotoCodecs: furnished next.
