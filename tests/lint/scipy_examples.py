"""Example calls of SciPy functions.

Each row is a call that works with concrete arguments, and the functions that take it.
"""

SCIPY_EXAMPLES = {
    "scipy.cluster.vq": """\
(m, 2): kmeans
(m, m): vq
(m): whiten
""",
    "scipy.fft": """\
(v): dct idct dst fft ifft rfft irfft fftshift ifftshift
(m): dctn idctn fft2 ifft2 fftn ifftn rfft2 rfftn irfftn
(4, 1.0): fftfreq rfftfreq
(5): next_fast_len
""",
    "scipy.integrate": """\
(lambda x: float(x), 0.0, 1.0): quad
(lambda y, x: float(x), 0.0, 1.0, 0.0, 1.0): dblquad
(lambda t, y: -y, (0.0, 1.0), v): solve_ivp
(lambda y, t: -y, v, w): odeint
(lambda x: x, 0.0, 1.0): fixed_quad quad_vec
(v, w): trapezoid cumulative_trapezoid
(v, x=w): simpson cumulative_simpson
(np.ones(5)): romb
""",
    "scipy.interpolate": """\
(w, v): interp1d CubicSpline PchipInterpolator Akima1DInterpolator BarycentricInterpolator
    lagrange KroghInterpolator
(w, v, k=1): UnivariateSpline InterpolatedUnivariateSpline splrep make_interp_spline
(np.arange(6.0), v, 2): BSpline
(v, (np.arange(6.0), v, 2)): splev
(w, v, w, method='nearest'): griddata
((w,), v): RegularGridInterpolator
(w, v, w): barycentric_interpolate krogh_interpolate pchip_interpolate
((w,), v, w): interpn
(m, v): NearestNDInterpolator
(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), v): LinearNDInterpolator
(np.ones((2, 2)), w): PPoly
(w, w, m, kx=1, ky=1): RectBivariateSpline
""",
    "scipy.linalg": """\
(m, v): solve solve_triangular lstsq
((m, True), v): cho_solve
((m, np.array([0, 1, 2], np.int32)), v): lu_solve
(v, w): solve_toeplitz toeplitz hankel
(m, m): block_diag khatri_rao expm_frechet orthogonal_procrustes subspace_angles
    solve_continuous_lyapunov solve_discrete_lyapunov ordqz qr_multiply qz rsf2csf solve_lyapunov
(w, np.ones(2)): eigh_tridiagonal
(m): norm bandwidth cho_factor cholesky coshm cosm det eig eig_banded eigh eigvals eigvals_banded
    eigvalsh expm expm_cond hessenberg inv ishermitian issymmetric ldl logm lu matrix_balance
    null_space orth pinv pinvh polar qr rq schur signm sinhm sinm sqrtm svd svdvals tanhm tanm
(m, m, m): solve_sylvester
((1, 1), m, v): solve_banded
(m, 0.5): fractional_matrix_power
(m, np.sqrt): funm
(m, m, m, m): solve_continuous_are solve_discrete_are qr_update
(v, m): cdf2rdf
(v): cholesky_banded circulant companion fiedler fiedler_companion lu_factor
(m, n): clarkson_woodruff_transform
(v, 4): convolution_matrix
(4): dft hadamard helmert hilbert invhilbert invpascal pascal
((3, 3), 3, n): diagsvd
(v, im): eigvalsh_tridiagonal
(v, (3, 3)): leslie
(v, v): matmul_toeplitz solve_circulant solveh_banded
(m, m, 1): qr_delete
(m, m, m, 1): qr_insert
""",
    "scipy.ndimage": """\
(m, np.ones((2, 3))): map_coordinates
(v, np.ones((1, 1))): affine_transform
(v, 1.0): shift gaussian_filter gaussian_filter1d
(m, 30.0): rotate
(v, 2.0): zoom
(v, w): convolve correlate convolve1d correlate1d
(v, 3): median_filter uniform_filter maximum_filter minimum_filter
(v, 50, 3): percentile_filter
(iv): label
""",
    "scipy.optimize": """\
(lambda x: float(np.sum(np.asarray(x) ** 2)), v): minimize fmin fmin_bfgs fmin_cg
(lambda x: float(x) ** 2, (0.0, 1.0)): minimize_scalar
(lambda x: np.asarray(x) - 1.0, v): root fsolve leastsq least_squares
(lambda x: float(x) - 1.0, bracket=(0.0, 2.0)): root_scalar
(lambda x: float(x) - 1.0, 0.0, 2.0): brentq brenth bisect ridder
(lambda x: float(x) - 1.0, 0.5): newton
(lambda x: float(np.sum(np.asarray(x) ** 2)), v, approx_grad=True): fmin_l_bfgs_b
(lambda x, a: a * x, v, w): curve_fit
(m, v): nnls lsq_linear
(m): linear_sum_assignment
(w): linprog isotonic_regression
(v, lambda x: float(np.sum(x))): approx_fprime
(lambda x: np.cos(x), 0.5): fixed_point
(lambda x: float(x) ** 2): golden
""",
    "scipy.signal": """\
(v, w): convolve correlate fftconvolve oaconvolve
(m, m): convolve2d correlate2d
(v, w, V): lfilter filtfilt
(np.array([[1.0, 0.0, 0.0, 1.0, 0.0, 0.0]]), V): sosfilt
(V, 20): resample
(V, 2, 3): resample_poly
(V, 2): decimate
(V, 5, 2): savgol_filter
(V, 3): medfilt wiener
(V): hilbert detrend find_peaks periodogram cspline2d qspline2d
(V, nperseg=8): welch spectrogram stft
(V, V, nperseg=8): csd coherence
(2, 0.2): butter
(5, 0.2): firwin
(v): freqz sawtooth square gausspulse argrelmax argrelmin bode cspline1d czt dbode dfreqresp
    dimpulse dstep envelope freqresp hilbert2 impulse minimum_phase qspline1d step unique_roots
(v, 1.0, 1.0, 2.0): chirp
('hann', 5): get_window
(v, V): upfirdn
(V, w): deconvolve
(V, V, w): lombscargle
(4): CZT
(4, s): ZoomFFT
(3, s): bessel cheb1ap cheb2ap
(3): besselap buttap czt_points max_len_seq
(v, v): bilinear choose_conv_method cspline1d_eval dlsim find_peaks_cwt freqs kaiser_atten
    lfilter_zi lp2bp lp2bs lp2hp lp2lp normalize qspline1d_eval residue residuez sweep_poly tf2sos
    tf2zpk vectorstrength
(s, 0.5, 1, 10.0): bilinear_zpk
(3, s, s): cheby1 cheby2 ellipap
(im, im): cont2discrete
(s, s): correlation_lags iircomb iirnotch iirpeak
(3, s, s, s): ellip
(v, v, 3): findfreqs
(v, 0.5, 1): freqs_zpk freqz_zpk invres invresz zpk2tf
(v, 4): gauss_spline
(im): group_delay
(3, v): iirfilter
(m): istft medfilt2d sos2tf
(s): kaiser_beta
(v, v, v): lfiltic
(s, 0.5, 1): lp2bp_zpk lp2bs_zpk lp2hp_zpk lp2lp_zpk zpk2ss
(iv, iv, iv): lsim
(v, v, n): order_filter
(v, iv): peak_prominences peak_widths
(m, m, v): place_poles
(m, m, m, m): ss2tf
(s, s, s, s): ss2zpk
(5, v): tf2ss
((3,)): unit_impulse
(v, s): zoom_fft
(v, v, 1): zpk2sos
""",
    "scipy.sparse": """\
(m): csr_matrix csc_matrix coo_matrix
(v): diags
""",
    "scipy.spatial": """\
(m, m): distance_matrix
(m): KDTree cKDTree
(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])): ConvexHull Delaunay
(v, w): minkowski_distance
""",
    "scipy.spatial.distance": """\
(m, m): cdist
(m): pdist
(v): squareform
(v, w): euclidean cosine sqeuclidean cityblock correlation minkowski chebyshev canberra braycurtis
    jensenshannon hamming
(v, w, m): mahalanobis
""",
    "scipy.special": """\
(v, axis=0): logsumexp softmax log_softmax
(2.0, 1): multigammaln
(5, 2): comb perm
(5): factorial
(1, v): polygamma
(3): bernoulli ai_zeros bei_zeros beip_zeros ber_zeros berp_zeros bi_zeros erf_zeros fresnel_zeros
    fresnelc_zeros fresnels_zeros jnjnp_zeros kei_zeros keip_zeros kelvin_zeros ker_zeros
    kerp_zeros y0_zeros y1_zeros y1p_zeros
(v): softplus airy airye bei beip ber berp cbrt cosdg cosm1 cotdg dawsn digamma ellipe ellipk
    ellipkm1 entr erf erfc erfcinv erfcx erfi erfinv exp1 exp10 exp2 expi expit expm1 exprel
    fresnel gamma gammaln gammasgn i0 i0e i1 i1e it2i0k0 it2j0y0 it2struve0 itairy iti0k0 itj0y0
    itmodstruve0 itstruve0 j0 j1 k0 k0e k1 k1e kei keip kelvin ker kerp kolmogi kolmogorov
    lambertw log1p log_expit log_ndtr loggamma logit modfresnelm modfresnelp ndtr ndtri ndtri_exp
    psi rgamma round shichi sici sinc sindg spence tandg wofz wrightomega y0 y1 zeta zetac
(v, v): agm beta betaln binom boxcox boxcox1p chdtr chdtrc chdtri chdtriv ellipeinc ellipj
    ellipkinc elliprc eval_chebyc eval_chebys eval_chebyt eval_chebyu eval_laguerre eval_legendre
    eval_sh_chebyt eval_sh_chebyu eval_sh_legendre expn gammainc gammaincc gammainccinv
    gammaincinv h1vp h2vp hankel1 hankel1e hankel2 hankel2e huber hyp0f1 inv_boxcox inv_boxcox1p
    iv ive ivp jn jv jve jvp kl_div kn kv kve kvp mathieu_a mathieu_b modstruve owens_t pbdv pbvv
    pbwa pdtr pdtrc pdtri pdtrik poch powm1 pseudo_huber rel_entr smirnov smirnovi stdtr stdtridf
    stdtrit struve tklmbda xlog1py xlogy yn yv yve yvp
(v, 4): assoc_laguerre diric
(v, v, v): bdtr bdtrc bdtri bdtrik bdtrin besselpoly betainc betaincc betainccinv betaincinv
    btdtria btdtrib chndtr chndtridf chndtrinc chndtrix elliprd elliprf elliprg eval_gegenbauer
    eval_genlaguerre fdtr fdtrc fdtri fdtridfd gdtr gdtrc gdtria gdtrib gdtrix hyp1f1 hyperu
    log_wright_bessel lpmv mathieu_cem mathieu_modcem1 mathieu_modcem2 mathieu_modsem1
    mathieu_modsem2 mathieu_sem nbdtr nbdtrc nbdtri nbdtrik nbdtrin nctdtr nctdtridf nctdtrinc
    nctdtrit nrdtrimn nrdtrisd obl_cv pro_cv radian voigt_profile wright_bessel
(4): c_roots chebyc chebys chebyt chebyu euler factorial2 h_roots he_roots hermite hermitenorm
    l_roots laguerre legendre p_roots ps_roots roots_chebyc roots_chebys roots_chebyt roots_chebyu
    roots_hermite roots_hermitenorm roots_laguerre roots_legendre roots_sh_chebyt roots_sh_chebyu
    roots_sh_legendre s_roots sh_chebyt sh_chebyu sh_legendre t_roots ts_roots u_roots us_roots
(4, s): cg_roots gegenbauer genlaguerre la_roots roots_gegenbauer roots_genlaguerre
(s, s, 4, 0.5, (3, 3)): ellip_harm ellip_harm_2
(v, v, 4, 0.5): ellip_normal
(v, v, v, v): elliprj eval_jacobi eval_sh_jacobi hyp2f1 ncfdtr ncfdtri ncfdtridfd ncfdtridfn
    ncfdtrinc obl_ang1 obl_rad1 obl_rad2 pro_ang1 pro_rad1 pro_rad2
(iv, iv): eval_hermite eval_hermitenorm
(4, 1): factorialk
(4, s, s): j_roots jacobi js_roots roots_jacobi roots_sh_jacobi
(4, 3): jn_zeros jnp_zeros jnyn_zeros pbdn_seq yn_zeros ynp_zeros
(3, 3): lmbda mathieu_even_coef mathieu_odd_coef pbdv_seq pbvv_seq riccati_jn riccati_yn
(3, 4, 3): lqmn obl_cv_seq pro_cv_seq
(4, v): lqn spherical_in spherical_jn spherical_kn spherical_yn
(v, v, v, v, v): obl_ang1_cv obl_rad1_cv obl_rad2_cv pro_ang1_cv pro_rad1_cv pro_rad2_cv
(n, n, n): sh_jacobi
(3, n): stirling2
""",
    "scipy.stats": """\
(v): rankdata mode zscore sem gmean hmean skew kurtosis iqr entropy gaussian_kde describe
    median_abs_deviation chisquare circmean circstd circvar variation anderson bayes_mvs
    boxcox_normmax chi2_contingency combine_pvalues cumfreq ecdf expectile false_discovery_control
    gzscore jarque_bera kstat kstatvar kurtosistest lmoment normaltest obrientransform
    power_divergence probplot relfreq shapiro siegelslopes sigmaclip skewtest theilslopes
    tiecorrect tmax tmean tmin tsem tstd tvar wilcoxon yeojohnson_normmax
(v, 2): moment
(v, w): entropy pearsonr spearmanr kendalltau linregress ttest_ind ttest_rel ks_2samp
    wasserstein_distance energy_distance binned_statistic binned_statistic_dd
(v, 0.0): ttest_1samp
(v, 0.5): percentileofscore pmean quantile
(v, 0.1): trim_mean
(w, 0.5): boxcox yeojohnson
(w): gstd differential_entropy
(s): alexandergovern
(m): anderson_ksamp directional_stats f_oneway fisher_exact kruskal
(v, v): ansari brunnermunzel chatterjeexi cramervonmises_2samp epps_singleton_2samp kstest
    mannwhitneyu mood pointbiserialr ranksums scoreatpercentile wasserstein_distance_nd
    weightedtau zmap
(im): barnard_exact boschloo_exact
(v, v, w): binned_statistic_2d
(1, 4): binomtest
(s, s): boxcox_llf yeojohnson_llf
(v, s, n): boxcox_normplot ppcc_plot yeojohnson_normplot
(n, n, n, n): poisson_means_test
(V): ppcc_max
(v, s): trim1 trimboth
(v, v, v, v, v, v): ttest_ind_from_stats
""",
    "scipy.stats.beta": """\
(v, 2.0, 3.0): pdf logpdf
""",
    "scipy.stats.binom": """\
(iv, 5, 0.5): pmf
""",
    "scipy.stats.dirichlet": """\
(np.array([0.2, 0.3, 0.5]), w): pdf
""",
    "scipy.stats.gamma": """\
(v, 2.0): pdf
""",
    "scipy.stats.multivariate_normal": """\
(v, v, m): pdf logpdf
(v, m): rvs
""",
    "scipy.stats.norm": """\
(v, 0.0, 1.0): pdf cdf logpdf logcdf ppf sf isf logsf
(v, loc=0.0, scale=1.0): pdf cdf logpdf logcdf ppf sf isf logsf
(0.0, 1.0): rvs mean var std entropy
(loc=0.0, scale=1.0): rvs mean var std entropy
(0.9, 0.0, 1.0): interval
""",
    "scipy.stats.poisson": """\
(iv, 2.0): pmf logpmf logcdf sf logsf cdf
(v, 2.0): ppf
(2.0): rvs mean var std entropy
""",
    "scipy.stats.t": """\
(v, 2.0): logpdf
""",
}
