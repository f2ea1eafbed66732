"""The local sandbox: files, shell, Python, SQL, mail, short addresses and chance, all inside the world."""
