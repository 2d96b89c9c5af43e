"""What the server does for the editor, one module for each kind of message."""
