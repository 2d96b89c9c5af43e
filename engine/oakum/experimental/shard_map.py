"""The former place of `shard_map`."""

from oakum.api.batching import shard_map as shard_map
