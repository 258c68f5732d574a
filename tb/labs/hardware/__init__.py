"""What runs beside the RTL's own Scala and its tests: defects, and what students write."""
