"""What libraries beside NumPy and SciPy that work on the host do with a tracer.

Each row is measured on JAX, but for those of PyTorch, which its documentation says;
`models.parameter` describes its form.
"""

HOST_LIBRARIES = {
    "pandas": """\
DataFrame Index Series get_dummies isna isnull notna notnull: data~ -> object
cut factorize qcut unique: x~ -> object
""",
    "PIL.Image": """\
fromarray: obj -> object
""",
    "cv2": """\
GaussianBlur cvtColor flip rectangle resize: src -> object
warpAffine: src M -> object
imencode imshow imwrite: ? img -> none
""",
    "matplotlib.pyplot": """\
boxplot hist stem: x~ -> object
axhline axvline contour contourf imshow matshow pcolormesh: data -> object
imsave: ? arr -> none
bar errorbar fill_between loglog plot quiver scatter semilogx semilogy step: x~ y~ -> object
""",
    "sklearn.metrics": """\
accuracy_score confusion_matrix f1_score log_loss mean_absolute_error mean_squared_error
    precision_score r2_score recall_score roc_auc_score: y_true y_pred -> object
pairwise_distances silhouette_score: X -> object
""",
    "sklearn.preprocessing": """\
normalize scale: X -> object
""",
    "tensorflow": """\
cast constant convert_to_tensor reduce_mean reduce_sum: value -> object
""",
    "tensorflow.data.Dataset": """\
from_tensor_slices: tensors~ -> object
""",
    "torch": """\
as_tensor from_numpy tensor: data -> object
""",
}

_DRAWING = frozenset({"matplotlib", "plotly", "pyvista", "seaborn"})


def draws(path: str) -> bool:
    """Whether a name is one of a library that draws figures.

    >>> draws("matplotlib.pyplot.subplots"), draws("numpy.sum")
    (True, False)
    """
    return path.partition(".")[0] in _DRAWING


_SHOWING = frozenset(
    {
        *_DRAWING,
        "PIL",
        "cv2",
        "imageio",
        "logging",
        "mlflow",
        "pandas",
        "tensorflow",
        "torch",
        "wandb",
    }
)


def shows(path: str) -> bool:
    """Whether a name is one of a library that works on concrete arrays alone, or writes them.

    >>> shows("PIL.Image.fromarray"), shows("jax.numpy.sum")
    (True, False)
    """
    return path.partition(".")[0] in _SHOWING
