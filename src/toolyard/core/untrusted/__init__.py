"""Text and files of strangers: how much of them is read and kept, and how it is made safe to write."""
