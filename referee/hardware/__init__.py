"""The hardware edge: cameras, the process that owns one, buttons, lamp and buzzer, systemd.

picamera2, libcamera and lgpio are imported only inside functions, so that a laptop can import everything here.
"""
