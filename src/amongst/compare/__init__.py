"""Many methods and parameters side by side: what each loses, how long it takes, and which one to take."""
