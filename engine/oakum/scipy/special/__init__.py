"""Special functions, element by element."""

from typing import TYPE_CHECKING

from oakum.values import lazy_modules

lazy_modules.defer_all("oakum.scipy.special", __path__)

if TYPE_CHECKING:
    # fmt: off
    # isort: off
    from oakum.scipy.special.functions import (
        bernoulli as bernoulli, bessel_jn as bessel_jn, beta as beta, betainc as betainc,
        betaln as betaln, boxcox as boxcox, boxcox1p as boxcox1p, comb as comb, dawsn as dawsn,
        digamma as digamma, entr as entr, erf as erf, erfc as erfc, erfcx as erfcx,
        erfinv as erfinv, exp1 as exp1, expi as expi, expit as expit, expn as expn,
        factorial as factorial, fresnel as fresnel, gamma as gamma, gammainc as gammainc,
        gammaincc as gammaincc, gammaln as gammaln, gammasgn as gammasgn, hyp1f1 as hyp1f1,
        hyp2f1 as hyp2f1, i0 as i0, i0e as i0e, i1 as i1, i1e as i1e, kl_div as kl_div,
        log_ndtr as log_ndtr, log_softmax as log_softmax, loggamma as loggamma, logit as logit,
        logsumexp as logsumexp, multigammaln as multigammaln, ndtr as ndtr, ndtri as ndtri,
        owens_t as owens_t, poch as poch, polygamma as polygamma, rel_entr as rel_entr,
        sici as sici, softmax as softmax, spence as spence, sph_harm_y as sph_harm_y, wofz as wofz,
        xlog1py as xlog1py, xlogy as xlogy, zeta as zeta,
    )
    # isort: on
    # fmt: on
else:  # to type checkers any name would be one of the module
    __getattr__, __dir__ = lazy_modules.deferred("oakum.scipy.special")
