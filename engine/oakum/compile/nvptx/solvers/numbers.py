"""Numbers of matrices, real or complex: a complex one is a vector of both parts, and one access."""

from __future__ import annotations

from oakum import dtypes
from oakum.compile.llvm.llvm_function import Index
from oakum.compile.llvm.llvm_value import Value, constant
from oakum.compile.nvptx.codegen.gpu_kernel import Kernel
from oakum.dtypes import DType, Kind


class Numbers:
    """Writes code of a kernel for numbers of a dtype."""

    def __init__(self, f: Kernel, dtype: DType) -> None:
        self.f, self.dtype = f, dtype
        real = dtypes.to_real(dtype)
        assert real is not None
        self.real = real
        """The dtype of a part."""
        self.width = 2 if dtype.kind is Kind.COMPLEX else 1
        self.zero = constant(0.0, real, self.width)
        self.one = self.join(constant(1.0, real), constant(0.0, real))

    def join(self, real: Value, imaginary: Value) -> Value:
        """Returns the number of two parts; a real one has no use for the second."""
        if self.width == 1:
            return real
        f = self.f
        return f.with_lane(f.splat(real, 2), 1, imaginary)

    # Memory.

    def pointer(self, base: str, at: Index) -> str:
        """Returns the address of a number."""
        return self.f.pointer(base, self.f.mul_index(at, self.width), self.real)

    def fetch(self, base: str, at: Index) -> Value:
        """Returns a number that is in memory."""
        return self.f.load(base, self.f.mul_index(at, self.width), self.real, self.width)

    def leave(self, value: Value, base: str, at: Index) -> None:
        """Stores a number."""
        self.f.store(value, base, self.f.mul_index(at, self.width))

    # Arithmetic, beside that of vectors.

    def mul(self, x: Value, y: Value) -> Value:
        """Returns the product."""
        f = self.f
        if self.width == 1:
            return f.mul(x, y)
        real, imaginary = (f.splat(f.lane(x, part), 2) for part in range(2))
        turned = self.join(f.neg(f.lane(y, 1)), f.lane(y, 0))
        return f.add(f.mul(real, y), f.mul(imaginary, turned))

    def div(self, x: Value, y: Value) -> Value:
        """Returns the quotient; the divisor is scaled, for squares may not be representable."""
        f = self.f
        if self.width == 1:
            return f.div(x, y)
        sizes = [f.abs(f.lane(y, part)) for part in range(2)]
        scale = f.select(f.compare("gt", *sizes), *sizes)
        y = self.scaled(y, scale)
        product = self.mul(x, self.conjugate(y))
        return self.scaled(self.scaled(product, self.square(y)), scale)

    def conjugate(self, x: Value) -> Value:
        """Returns the conjugate number."""
        f = self.f
        return x if self.width == 1 else self.join(f.lane(x, 0), f.neg(f.lane(x, 1)))

    def real_part(self, x: Value) -> Value:
        """Returns the real part."""
        return x if self.width == 1 else self.f.lane(x, 0)

    def from_real(self, x: Value) -> Value:
        """Returns the number of a real part."""
        return self.join(x, constant(0.0, self.real))

    def scaled(self, x: Value, by: Value) -> Value:
        """Returns a number that is divided by a real one."""
        f = self.f
        return f.div(x, by if self.width == 1 else f.splat(by, 2))

    def square(self, x: Value) -> Value:
        """Returns the square of the absolute value."""
        f = self.f
        squares = f.mul(x, x)
        return squares if self.width == 1 else f.add(f.lane(squares, 0), f.lane(squares, 1))

    def size(self, x: Value) -> Value:
        """Returns the absolute value, of complex numbers the sum of those of both parts."""
        f = self.f
        size = f.abs(x)
        return size if self.width == 1 else f.add(f.lane(size, 0), f.lane(size, 1))

    def is_zero(self, x: Value) -> Value:
        """Returns whether a number is zero."""
        return self.f.compare("eq", self.size(x), 0.0)
