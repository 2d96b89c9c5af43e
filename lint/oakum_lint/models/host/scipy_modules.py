"""What SciPy's modules other than `special` and `stats` do with a tracer.

Each row is measured on JAX; `models.parameter` describes its form.
"""

SCIPY_MODULES = {
    "scipy.cluster.vq": """\
kmeans: obs k_or_guess -> tuple
vq: obs code_book -> tuple
whiten: obs
""",
    "scipy.fft": """\
dct dst fft fft2 fftshift idct ifft ifft2 ifftshift irfft irfftn rfft rfft2 rfftn: x
dctn fftn idctn ifftn: x~
fftfreq rfftfreq: n:index d:ok
next_fast_len: target:hash -> static
""",
    "scipy.integrate": """\
cumulative_trapezoid simpson trapezoid: y x~
cumulative_simpson: y * x~
dblquad: ? a:bool/float b:bool/float gfun:bool/float hfun:bool/float -> static
fixed_quad: ? a b -> object
odeint: ? y0~ t
quad: ? a:bool/float b:bool/float -> static
quad_vec: ? a:float b:float -> static
romb: y
solve_ivp: ? t_span:float y0 -> object
""",
    "scipy.interpolate": """\
Akima1DInterpolator CubicSpline PchipInterpolator interp1d: x y -> object
NearestNDInterpolator: x y~ -> object
barycentric_interpolate krogh_interpolate: xi yi x
pchip_interpolate: xi yi x~
BarycentricInterpolator: xi yi~ -> object
KroghInterpolator: xi yi -> object
LinearNDInterpolator RegularGridInterpolator: points values -> object
InterpolatedUnivariateSpline UnivariateSpline: x y ? ? k:bool -> object
griddata interpn: points values xi
BSpline: t c k:index -> object
PPoly: c x -> object
RectBivariateSpline: x y z ? kx:error ky:error -> object
lagrange: x w -> object
make_interp_spline: x y k:bool -> object
splev: x~
splrep: x y ? ? ? k:bool -> object
""",
    "scipy.linalg": """\
coshm cosm expm expm_cond funm logm null_space orth signm sinhm sinm sqrtm tanhm tanm: A
cholesky fiedler fiedler_companion: a~
companion det eigvals eigvalsh hessenberg inv norm pinv pinvh svdvals: a
eig eigh lu polar qr rq schur svd: a -> tuple
lu_factor: a~ -> tuple
bandwidth ishermitian issymmetric: a -> static
hadamard invpascal pascal: n:bool
ordqz orthogonal_procrustes qz: A B -> tuple
khatri_rao solve solve_triangular: a b
solve_continuous_lyapunov solve_discrete_lyapunov solve_lyapunov: a q
cho_solve lu_solve: ? b
dft hilbert: n
helmert invhilbert: n:index
ldl matrix_balance: A -> tuple
solve_continuous_are solve_discrete_are: a b q r
hankel: c r~
toeplitz: c~ r~
block_diag: *arrs~
cdf2rdf: w v -> tuple
cho_factor: a~ -> object
cholesky_banded: ab~
circulant: c~
clarkson_woodruff_transform: input_matrix sketch_size
convolution_matrix: a n:bool
diagsvd: s M:bool N:bool
eig_banded: a_band -> tuple
eigh_tridiagonal: d e -> tuple
eigvals_banded: a_band
eigvalsh_tridiagonal: d e
expm_frechet: A E -> tuple
fractional_matrix_power: A t:int/array
leslie: f s
lstsq: a b -> object
matmul_toeplitz: c_or_cr x
qr_delete: Q R k -> tuple
qr_insert: Q R u k -> tuple
qr_multiply: a c -> tuple
qr_update: Q R u v -> tuple
rsf2csf: T Z -> tuple
solve_banded: l_and_u ab b
solve_circulant: c b
solve_sylvester: a b q
solve_toeplitz: c_or_cr b
solveh_banded: ab b
subspace_angles: A B
""",
    "scipy.ndimage": """\
convolve convolve1d correlate correlate1d: input weights
maximum_filter minimum_filter uniform_filter: input~ size:bool
affine_transform: input matrix
gaussian_filter: input~ sigma:bool/float
gaussian_filter1d: input sigma:float
label: input~ -> object
map_coordinates: input coordinates
median_filter: input~ size:index
percentile_filter: input~ percentile:bool size:index
rotate: input angle
shift: input shift
zoom: input zoom:int
""",
    "scipy.optimize": """\
fixed_point fsolve newton: ? x0
fmin fmin_bfgs fmin_cg: ? x0~
bisect brenth brentq ridder: ? a:error b:error -> static
least_squares leastsq root: ? x0 -> object
minimize: ? x0~ -> object
lsq_linear nnls: A b -> object
approx_fprime: xk~
curve_fit: ? xdata ydata -> tuple
fmin_l_bfgs_b: ? x0~ ? ? approx_grad:bool(ok) -> object
golden:
isotonic_regression: y~ -> object
linear_sum_assignment: x1 -> tuple
linprog: c -> object
minimize_scalar: ? bracket~ -> object
root_scalar: ? ? ? bracket:error -> object
""",
    "scipy.signal": """\
bilinear freqs lp2bp lp2bs lp2hp lp2lp normalize tf2zpk: b a -> tuple
residue residuez: b~ a~ -> tuple
bode dbode dfreqresp dimpulse dstep freqresp group_delay impulse step: system -> tuple
convolve convolve2d correlate correlate2d fftconvolve oaconvolve: in1 in2
cspline1d cspline2d qspline1d qspline2d: signal
freqs_zpk freqz_zpk zpk2ss zpk2tf: z p k~ -> tuple
bessel butter: N:int Wn~ -> tuple
iirfilter: N:int Wn -> tuple
czt hilbert: x
hilbert2: x~
iircomb iirnotch iirpeak: w0:float Q:float -> tuple
gausspulse sawtooth square: t
argrelmax argrelmin: data -> tuple
besselap buttap: N:int -> object
coherence csd: x y ? ? nperseg:int~ -> tuple
cspline1d_eval qspline1d_eval: cj newx
invres invresz: r p k -> tuple
filtfilt lfilter: b a x
lfilter_zi tf2sos: b a
lp2bp_zpk lp2lp_zpk: z p k:ok -> object
lp2bs_zpk lp2hp_zpk: z p k:ok -> tuple
peak_prominences peak_widths: x peaks -> tuple
ss2tf ss2zpk: A~ B~ C~ D~ -> tuple
stft welch: x ? ? nperseg:int~ -> tuple
CZT: n:bool -> object
ZoomFFT: n:bool fn -> object
bilinear_zpk: z p k:ok fs:error -> tuple
cheb1ap: N:int rp:float -> tuple
cheb2ap: N:int rs:float -> tuple
cheby1: N:int rp:bool/float Wn~ -> tuple
cheby2: N:int rs:bool/float Wn~ -> tuple
chirp: t f0:float t1:float f1:float
choose_conv_method: in1~ in2~ -> static
cont2discrete: system dt -> tuple
correlation_lags: in1_len~ in2_len
czt_points: m:bool
decimate: x q:index
deconvolve: signal~ divisor -> tuple
detrend: data
dlsim: system u -> tuple
ellip: N:int rp:bool/float rs:bool/float Wn~ -> tuple
ellipap: N:int rp:float rs:float -> object
envelope: z
find_peaks: x -> object
find_peaks_cwt: vector widths
findfreqs: num den N:index
firwin: numtaps:bool cutoff~
freqz: b -> tuple
gauss_spline: x n:float
get_window: ? Nx:bool
istft: Zxx -> tuple
kaiser_atten: numtaps:ok width:ok
kaiser_beta: a:bool -> static
lfiltic: b~ a y
lombscargle: x y freqs
lsim: system U:bool(array) T -> tuple
max_len_seq: nbits:hash -> tuple
medfilt: volume kernel_size~
medfilt2d: input
minimum_phase: h
order_filter: a domain rank:index
periodogram: x -> tuple
place_poles: A B poles -> object
resample: x num:bool
resample_poly: x up:int down:int
savgol_filter: x window_length:bool polyorder:bool
sos2tf: sos -> tuple
sosfilt: sos x
spectrogram: x ? ? nperseg:bool -> tuple
sweep_poly: t poly
tf2ss: num den -> tuple
unique_roots: p -> tuple
unit_impulse: shape:index
upfirdn: h x
vectorstrength: events~ period -> tuple
wiener: im mysize~
zoom_fft: x fn
zpk2sos: z p k
""",
    "scipy.sparse": """\
csc_matrix csr_matrix: arg1:error -> object
coo_matrix: arg1 -> object
diags: diagonals:error -> object
""",
    "scipy.spatial": """\
ConvexHull Delaunay: points -> object
distance_matrix minkowski_distance: x y
KDTree: data -> object
cKDTree: x1 -> object
""",
    "scipy.spatial.distance": """\
braycurtis canberra chebyshev cityblock correlation cosine hamming sqeuclidean: u v
euclidean minkowski: u v -> static
pdist: X
squareform: X~
cdist: XA XB
jensenshannon: p q
mahalanobis: u v VI
""",
}
