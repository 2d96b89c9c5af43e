"""What `scipy.special` does with a tracer.

Each row is measured on JAX; `models.parameter` describes its form.
"""

SCIPY_SPECIAL = {
    "scipy.special": """\
bei beip ber berp cbrt cosdg cosm1 cotdg dawsn digamma ellipe ellipk ellipkm1 entr erf erfc
    erfcinv erfcx erfi erfinv exp1 exp10 exp2 expi expit expm1 exprel gamma gammaln gammasgn i0
    i0e i1 i1e it2struve0 itmodstruve0 itstruve0 j0 j1 k0 k0e k1 k1e kei keip ker kerp kolmogi
    kolmogorov log1p log_expit log_ndtr loggamma logit ndtr ndtri ndtri_exp psi rgamma round sinc
    sindg softplus spence tandg wofz wrightomega y0 y1 zeta zetac: x
agm beta betaln binom boxcox boxcox1p chdtr chdtrc chdtri chdtriv ellipeinc ellipkinc elliprc
    eval_chebyc eval_chebys eval_chebyt eval_chebyu eval_hermite eval_hermitenorm eval_laguerre
    eval_legendre eval_sh_chebyt eval_sh_chebyu eval_sh_legendre expn gammainc gammaincc
    gammainccinv gammaincinv hankel1 hankel1e hankel2 hankel2e huber hyp0f1 inv_boxcox
    inv_boxcox1p iv ive jn jv jve kl_div kn kv kve mathieu_a mathieu_b modstruve owens_t pdtr
    pdtrc pdtri pdtrik poch powm1 pseudo_huber rel_entr smirnov smirnovi stdtr stdtridf stdtrit
    struve tklmbda xlog1py xlogy yn yv yve: x1 x2
bdtr bdtrc bdtri bdtrik bdtrin besselpoly betainc betaincc betainccinv betaincinv btdtria btdtrib
    chndtr chndtridf chndtrinc chndtrix elliprd elliprf elliprg eval_gegenbauer eval_genlaguerre
    fdtr fdtrc fdtri fdtridfd gdtr gdtrc gdtria gdtrib gdtrix hyp1f1 hyperu log_wright_bessel lpmv
    nbdtr nbdtrc nbdtri nbdtrik nbdtrin nctdtr nctdtridf nctdtrinc nctdtrit nrdtrimn nrdtrisd
    obl_cv pro_cv radian voigt_profile wright_bessel: x1 x2 x3
c_roots h_roots he_roots l_roots p_roots ps_roots roots_chebyc roots_chebys roots_chebyt
    roots_chebyu roots_hermite roots_hermitenorm roots_laguerre roots_legendre roots_sh_chebyt
    roots_sh_chebyu roots_sh_legendre s_roots t_roots ts_roots u_roots us_roots: n:int -> tuple
airy airye fresnel it2i0k0 it2j0y0 itairy iti0k0 itj0y0 kelvin modfresnelm modfresnelp shichi
    sici: x -> tuple
chebyc chebys chebyt chebyu hermite hermitenorm laguerre legendre sh_chebyt sh_chebyu sh_legendre:
    n:bool -> object
elliprj eval_jacobi eval_sh_jacobi hyp2f1 ncfdtr ncfdtri ncfdtridfd ncfdtridfn ncfdtrinc: x1 x2 x3
    x4
bei_zeros beip_zeros ber_zeros berp_zeros kei_zeros keip_zeros ker_zeros kerp_zeros: nt:index
ai_zeros bi_zeros jnjnp_zeros kelvin_zeros y0_zeros y1_zeros y1p_zeros: nt:index -> tuple
h1vp h2vp ivp jvp kvp yvp: v z
mathieu_cem mathieu_modcem1 mathieu_modcem2 mathieu_modsem1 mathieu_modsem2 mathieu_sem: x1 x2 x3
    -> tuple
obl_ang1 obl_rad1 obl_rad2 pro_ang1 pro_rad1 pro_rad2: x1 x2 x3 x4 -> tuple
obl_ang1_cv obl_rad1_cv obl_rad2_cv pro_ang1_cv pro_rad1_cv pro_rad2_cv: x1 x2 x3 x4 x5 -> tuple
cg_roots la_roots roots_gegenbauer roots_genlaguerre: n:int alpha:bool/array -> tuple
ellipj pbdv pbvv pbwa: x1 x2 -> tuple
jn_zeros jnp_zeros yn_zeros ynp_zeros: n:index nt:index
spherical_in spherical_jn spherical_kn spherical_yn: n z
erf_zeros fresnelc_zeros fresnels_zeros: nt
lmbda pbdv_seq pbvv_seq: v:error x:error -> tuple
assoc_laguerre diric: x n
bernoulli euler: n:index
comb perm: N k
ellip_harm ellip_harm_2: h2 k2 n p s
factorial factorial2: n~
j_roots roots_jacobi: n:int alpha:bool/array beta:bool -> tuple
js_roots roots_sh_jacobi: n:int p1:bool/array q1:bool/array -> tuple
mathieu_even_coef mathieu_odd_coef: m:error q:error
obl_cv_seq pro_cv_seq: m:error n:index c:error
riccati_jn riccati_yn: n:index x:error -> tuple
log_softmax softmax: x axis:index~
ellip_normal: h2 k2 n p
factorialk: n~ k:index
fresnel_zeros: nt -> tuple
gegenbauer: n:bool alpha -> object
genlaguerre: n:bool alpha:bool/array -> object
jacobi: n:bool alpha:bool/array beta:bool/array -> object
jnyn_zeros: n:index nt:index -> tuple
lambertw: z
logsumexp: a axis:index~
lqmn: m:error n:index z~ -> tuple
lqn: n:index z~ -> tuple
multigammaln: a d
pbdn_seq: n:index z:error -> tuple
polygamma: n x
sh_jacobi: n:bool p:bool q:bool -> object
stirling2: N K
""",
}
