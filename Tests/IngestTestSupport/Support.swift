// Test support: furnished next.
