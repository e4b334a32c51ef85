"""The whole product on a simulated table, and the account of what it got right."""
