# category: dynamic-shape-op
import jax
import jax.numpy as np


class Detector:
    def __init__(self, threshold):
        self.threshold = threshold

    def hits(self, heatmap):
        """Coordinates above the threshold."""
        return np.argwhere(heatmap > self.threshold)  #! OAK210 16 #~ ConcretizationTypeError

    def centroid(self, heatmap):
        return self.hits(heatmap).mean(axis=0)


detector = Detector(0.5)
maps = np.stack([np.eye(3), np.ones((3, 3))])
print(detector.centroid(maps[0]))
print(jax.vmap(detector.centroid)(maps))
