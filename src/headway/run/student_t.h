// SPDX-License-Identifier: Apache-2.0
// Means of independent replications and how far chance may have moved them (Law, "Simulation Modeling and
// Analysis", section 9.4.1, replications).
#pragma once

#include <cstddef>
#include <span>

namespace headway {

// The 0.975 quantile of Student's t: a 95 % interval reaches so many standard errors to either side.
double student_t(std::size_t degrees_of_freedom);

// The mean of the values, and its standard error. Equal values give exactly that value and the error 0. The
// mean of none and the error of one are NaN: unknown.
double mean_of(std::span<const double> values);
double standard_error_of(std::span<const double> values);

}  // namespace headway
