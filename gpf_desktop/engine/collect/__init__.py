"""Fresh news in: fetching, reading, choosing what a batch takes."""
