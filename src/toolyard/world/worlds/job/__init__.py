"""Jobs: employers, postings and salaries, on the shared companies and cities."""
