"""Animals: cats and dogs by breed, with pictures and facts."""
