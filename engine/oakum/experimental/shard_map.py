"""The former place of `shard_map`."""

from oakum.transforms.batching import shard_map as shard_map
