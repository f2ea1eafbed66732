"""Why people call tools together: plans with a reason, and the words in which somebody asks for them."""
