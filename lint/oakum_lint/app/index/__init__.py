"""What runs keep for later ones in `.oakum_cache`: lowered units, the findings of parts, runs."""
