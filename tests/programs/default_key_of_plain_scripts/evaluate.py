from model import Model

model = Model(3)
print(model.weights.sum())
