"""Who drives the ports of an MMU: event by event, or in lock-step."""
