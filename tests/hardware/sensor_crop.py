"""Gives libcamera's virtual camera the crop of a Pi's (ScalerCrop): libcamera 0.4.0's has neither the control nor the
metadata. The lab's glue takes what picamera2 hands to libcamera; here it is said in the metadata of the frames and done
to their pictures, as a Pi's image processor does it. For the picamera2 tier alone."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np


def install() -> None:
    """From now on in this process."""
    from picamera2.request import CompletedRequest

    metadata_of, array_of = CompletedRequest.get_metadata, CompletedRequest.make_array

    def crop_of(request: Any) -> tuple[int, int, int, int]:
        told = getattr(request.picam2, "_camsim_controls", {}).get("ScalerCrop")
        if told is None:
            return request.picam2.camera_controls["ScalerCrop"][2]
        return told.x, told.y, told.width, told.height

    def get_metadata(self: Any) -> dict[str, Any]:
        return {**metadata_of(self), "ScalerCrop": crop_of(self)}

    def make_array(self: Any, name: str) -> np.ndarray:
        picture = array_of(self, name)
        whole, crop = self.picam2.camera_controls["ScalerCrop"][2], crop_of(self)
        if crop == whole:
            return picture
        width, height = self.picam2.camera_configuration()[name]["size"]
        if name != "main":  # Y alone is used: its rows come first
            picture = picture[:height, :width]
        x, w = (round(side * width / whole[2]) for side in (crop[0] - whole[0], crop[2]))
        y, h = (round(side * height / whole[3]) for side in (crop[1] - whole[1], crop[3]))
        return cv2.resize(picture[y : y + h, x : x + w], (width, height), interpolation=cv2.INTER_LINEAR)

    CompletedRequest.get_metadata, CompletedRequest.make_array = get_metadata, make_array
