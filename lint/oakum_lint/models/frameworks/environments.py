"""Environments of reinforcement learning, by the classes that they inherit from: algorithms compile
what steps them and what resets them. What such a class does beside is not known.

An environment whose base is not named here is known by its shape (`models.habits`).
"""

from typing import Final

ENVIRONMENTS: Final = frozenset(
    """
    brax.envs.Env brax.envs.PipelineEnv brax.envs.Wrapper brax.envs.base.Env
    brax.envs.base.PipelineEnv brax.envs.base.Wrapper brax.envs.env.Env brax.envs.env.Wrapper
    gymnax.environments.environment.Environment
    jaxmarl.environments.MultiAgentEnv jaxmarl.environments.multi_agent_env.MultiAgentEnv
    jumanji.Environment jumanji.env.Environment jumanji.env.Wrapper jumanji.wrappers.Wrapper
    mujoco_playground.MjxEnv mujoco_playground._src.mjx_env.MjxEnv
    """.split()
)
