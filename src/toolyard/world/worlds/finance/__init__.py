"""Markets: shares, funds, currencies, coins, commodities and the economy, all on the same price paths."""
