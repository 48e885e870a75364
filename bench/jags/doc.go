// Package jags holds the reference posterior of the Gaussian lasso on the
// diabetes data, made with JAGS, an independent sampler (Plummer 2003), and the
// means to make it again.
//
// The model is that of lasso.bug, Park & Casella (2008) with a proper prior:
//
//	sigma2  ~ InvGamma(A, scale = B)
//	tau2[d] ~ Exponential(rate = Lambda²/2)
//	w[d]    ~ Normal(0, var = sigma2·tau2[d])
//	y[n]    ~ Normal(dot(X[n], w), var = sigma2)
//
// on the data that [Diabetes] returns. [Stored] returns the reference, so that a
// comparison runs without JAGS; [Reference.Compare] judges another sampler's
// medians.
package jags

// The constants of the model. InvGamma(0.01, 0.01) is proper and, beside the
// diabetes data's residual variance of about 3000 on 442 cases, vague.
const (
	Lambda = 0.237 // Park & Casella's marginal maximum likelihood estimate
	A      = 0.01  // shape
	B      = 0.01  // scale
)
