"""Programming contests: users, contests, problems, submissions, ratings and blogs."""
