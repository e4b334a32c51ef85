"""Measurements that anybody can repeat: `referee bench NAME`. CPU time, one thread; nothing is written."""
