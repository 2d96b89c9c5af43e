"""What `scipy.stats` does with a tracer.

Each row is measured on JAX; `models.parameter` describes its form.
"""

SCIPY_STATS = {
    "scipy.stats": """\
expectile gmean gstd gzscore hmean kurtosis sem skew tmax tmean tmin tsem tstd tvar variation
    zscore: a
rankdata: a~
ansari brunnermunzel chatterjeexi epps_singleton_2samp kendalltau linregress mannwhitneyu mood
    pearsonr pointbiserialr ranksums weightedtau: x y -> tuple
describe kurtosistest mode normaltest sigmaclip skewtest: a -> tuple
anderson jarque_bera probplot shapiro wilcoxon: x -> tuple
boxcox_normmax iqr median_abs_deviation ppcc_max yeojohnson_normmax: x
circmean circstd circvar: samples
spearmanr ttest_ind ttest_rel: a b -> tuple
energy_distance wasserstein_distance wasserstein_distance_nd: u_values v_values
barnard_exact boschloo_exact: table -> object
boxcox_llf yeojohnson_llf: lmb:bool/array data
boxcox_normplot yeojohnson_normplot: x la:bool/array(array) lb:bool(array) -> tuple
chisquare power_divergence: f_obs -> tuple
cumfreq relfreq: a -> object
f_oneway kruskal: *samples -> tuple
kstat kstatvar: data
siegelslopes theilslopes: y -> tuple
trim_mean trimboth: a proportiontocut:int
alexandergovern: *samples:error(array) -> object
anderson_ksamp: samples -> tuple
bayes_mvs: data -> tuple
binned_statistic: x values -> tuple
binned_statistic_2d: x y values -> tuple
binned_statistic_dd: sample values -> tuple
binomtest: k:index n:index -> object
boxcox: x lmbda~
chi2_contingency: observed -> object
combine_pvalues: pvalues -> tuple
cramervonmises_2samp: x y -> object
differential_entropy: values
directional_stats: samples -> object
ecdf: sample~ -> object
entropy: pk qk~
false_discovery_control: ps
fisher_exact: table -> tuple
gaussian_kde: dataset -> object
ks_2samp: data1 data2 -> tuple
kstest: rvs cdf -> tuple
lmoment: sample
moment: a order
obrientransform: *samples
percentileofscore: a score
pmean: a p:error
poisson_means_test: k1:int n1:bool k2:int n2:bool -> tuple
ppcc_plot: x a:bool/array(array) b:bool(array) -> tuple
quantile: x p
scoreatpercentile: a per:unknown
tiecorrect: rankvals
trim1: a proportiontocut:bool
ttest_1samp: a popmean -> tuple
ttest_ind_from_stats: mean1 std1 nobs1 mean2 std2 nobs2 -> tuple
yeojohnson: x lmbda:bool/array
zmap: scores compare
""",
    "scipy.stats.dirichlet": """\
pdf: x alpha
""",
    "scipy.stats.multivariate_normal": """\
logpdf pdf: x~ mean~ cov~
rvs: mean~ cov~
""",
    "scipy.stats.norm": """\
cdf logcdf logpdf logsf pdf sf: x *args loc scale
entropy std var: *args~ loc~ scale
mean rvs: *args loc scale
isf ppf: q *args loc scale
interval: confidence *args -> tuple
""",
    "scipy.stats.poisson": """\
cdf logcdf logpmf logsf pmf sf: k *args
entropy mean std var: *args
ppf: q *args
rvs: *args -> object
""",
}

CONTINUOUS_DISTRIBUTIONS = """
    alpha anglit arcsine argus beta betaprime bradford burr burr12 cauchy chi chi2 cosine
    crystalball dgamma dpareto_lognorm dweibull erlang expon exponnorm exponpow exponweib f
    fatiguelife fisk foldcauchy foldnorm gamma gausshyper genexpon genextreme gengamma
    genhalflogistic genhyperbolic geninvgauss genlogistic gennorm genpareto gibrat gompertz
    gumbel_l gumbel_r halfcauchy halfgennorm halflogistic halfnorm hypsecant invgamma invgauss
    invweibull irwinhall jf_skew_t johnsonsb johnsonsu kappa3 kappa4 ksone kstwo kstwobign
    landau laplace laplace_asymmetric levy levy_l levy_stable loggamma logistic loglaplace
    lognorm loguniform lomax maxwell mielke moyal nakagami ncf nct ncx2 norm norminvgauss pareto
    pearson3 powerlaw powerlognorm powernorm rayleigh rdist recipinvgauss reciprocal
    rel_breitwigner rice semicircular skewcauchy skewnorm studentized_range t trapezoid triang
    truncexpon truncnorm truncpareto truncweibull_min tukeylambda uniform vonmises vonmises_line
    wald weibull_max weibull_min wrapcauchy
"""
"""Distributions with the methods of `scipy.stats.norm`."""

DISCRETE_DISTRIBUTIONS = """
    bernoulli betabinom betanbinom binom boltzmann dlaplace geom hypergeom logser nbinom
    nchypergeom_fisher nchypergeom_wallenius nhypergeom planck poisson poisson_binom randint
    skellam yulesimon zipf zipfian
"""
"""Distributions with the methods of `scipy.stats.poisson`."""
