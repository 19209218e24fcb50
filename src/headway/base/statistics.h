// SPDX-License-Identifier: Apache-2.0
// Means of independent values, such as replications, and their standard errors (Law, "Simulation Modeling and
// Analysis", section 9.4.1, replications).
#pragma once

#include <cstddef>
#include <span>

namespace headway {

// The 0.975 quantile of Student's t: a 95 % interval extends by this number of standard errors to each side.
// NaN without a degree of freedom.
double student_t(std::size_t degrees_of_freedom);

// The mean of the values, their variance, and the standard error of the mean. Equal values give exactly this
// value and the error 0. The mean of no value and the variance and error of one value are NaN.
double mean_of(std::span<const double> values);
double variance_of(std::span<const double> values);
double standard_error_of(std::span<const double> values);

}  // namespace headway
