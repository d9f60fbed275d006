"""The venue's broker: what mosquitto is told, and who may say and hear what."""
