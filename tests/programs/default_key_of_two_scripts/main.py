# category: clean/key-reuse
from model import Model


def train():
    print(Model(3).weights)


if __name__ == "__main__":
    train()
