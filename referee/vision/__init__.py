"""The eye: from frames to sightings, and from photos to cards."""
