# category: clean/mocked-attribute
"""What a test replaces by a mock is not what its class says."""

from unittest import mock

import jax.numpy as jnp


class Tokenizer:
    def tokenize(self, text):
        return text


def count_tokens(tokenizer, text):
    return jnp.array([tokenizer.tokenize(text)], dtype=jnp.int32).size


def test_count_of_an_instance():
    tokenizer = Tokenizer()
    with mock.patch.object(tokenizer, "tokenize", return_value=[1, 2, 3], autospec=True):
        tokens = jnp.array([tokenizer.tokenize("one two three")], dtype=jnp.int32)
        assert tokens.shape == (1, 3)
        assert count_tokens(tokenizer, "one two three") == 3


@mock.patch.object(Tokenizer, "tokenize", return_value=[1, 2])
def test_count_of_a_class(tokenize):
    tokens = jnp.array(Tokenizer().tokenize("one two"))
    assert tokens.shape == (2,)
    assert tokenize.called


class TestTokenizer:
    @mock.patch.object(Tokenizer, "tokenize", return_value=[4])
    def test_of_a_class_in_a_class(self, _):
        assert jnp.array(Tokenizer().tokenize("four")).shape == (1,)


test_count_of_an_instance()
test_count_of_a_class()
