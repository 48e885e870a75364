# Prints what R's posterior makes of draws, as CSV: set,figure,value.
#
#     Rscript figures.R draws.txt > figures.csv
#
# A line of draws.txt is one chain: the name of its set, then its draws.
suppressMessages(library(posterior))
lines <- strsplit(readLines(commandArgs(trailingOnly = TRUE)[1]), " ")
names <- vapply(lines, `[`, "", 1)
cat(sprintf("# R %s, posterior %s\n", getRversion(), packageVersion("posterior")))
cat("set,figure,value\n")
for (set in unique(names)) {
  x <- sapply(lines[names == set], function(l) as.numeric(l[-1]))
  x <- matrix(x, ncol = sum(names == set)) # draws by chains, even of one draw
  at <- function(f, p) f(x, probs = p, names = FALSE)
  figures <- list(
    Rhat = rhat(x), SplitRhat = rhat_basic(x), EPSR = rhat_basic(x, split = FALSE),
    ESSBulk = ess_bulk(x), ESSTail = ess_tail(x), ESSMean = ess_mean(x), ESSSD = ess_sd(x),
    ESSUnsplit = ess_basic(x, split = FALSE),
    "ESSQuantile 0.1" = at(ess_quantile, 0.1), "ESSQuantile 0.5" = at(ess_quantile, 0.5), "ESSQuantile 1" = at(ess_quantile, 1),
    MCSEMean = mcse_mean(x), MCSESD = mcse_sd(x),
    "MCSEQuantile 0.05" = at(mcse_quantile, 0.05), "MCSEQuantile 0.1" = at(mcse_quantile, 0.1),
    "MCSEQuantile 0.5" = at(mcse_quantile, 0.5), "MCSEQuantile 0.9" = at(mcse_quantile, 0.9),
    "Quantile 0.05" = at(quantile2, 0.05), "Quantile 0.9" = at(quantile2, 0.9)
  )
  for (f in names(figures)) cat(sprintf("%s,%s,%.17g\n", set, f, figures[[f]]))
}
