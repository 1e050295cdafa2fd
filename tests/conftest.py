"""What all tests share."""

from hypothesis import HealthCheck, settings

# Beside other work an example takes as long as it takes: a time limit would judge the machine.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")
