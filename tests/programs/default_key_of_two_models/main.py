# category: silent/key-reuse
from model import Model

if __name__ == "__main__":
    first = Model(3)
    second = Model(3)  #! OAK401
    print(first.weights - second.weights)
