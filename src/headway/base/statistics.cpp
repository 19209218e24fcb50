// SPDX-License-Identifier: Apache-2.0
#include "headway/base/statistics.h"

#include <cmath>
#include <iterator>

namespace headway {

// A table up to 30 degrees of freedom, then the expansion in 1/degrees around the normal quantile (Abramowitz
// and Stegun, 26.7.5), which is exact to five digits there.
double student_t(std::size_t degrees_of_freedom) {
  static constexpr double kTable[] = {12.70620, 4.30265, 3.18245, 2.77645, 2.57058, 2.44691, 2.36462, 2.30600,
                                      2.26216,  2.22814, 2.20099, 2.17881, 2.16037, 2.14479, 2.13145, 2.11991,
                                      2.10982,  2.10092, 2.09302, 2.08596, 2.07961, 2.07387, 2.06866, 2.06390,
                                      2.05954,  2.05553, 2.05183, 2.04841, 2.04523, 2.04227};
  if (degrees_of_freedom == 0) return std::nan("");
  if (degrees_of_freedom <= std::size(kTable)) return kTable[degrees_of_freedom - 1];
  const double n = static_cast<double>(degrees_of_freedom);
  const double z = 1.959963985, z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
  return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n);
}

// Sums differences to the first value, so that equal values give exactly this value.
double mean_of(std::span<const double> values) {
  if (values.empty()) return std::nan("");
  double sum = 0;
  for (const double value : values) sum += value - values.front();
  return values.front() + sum / static_cast<double>(values.size());
}

double variance_of(std::span<const double> values) {
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return squares / (static_cast<double>(values.size()) - 1);  // 0 / 0 is NaN for one value
}

double standard_error_of(std::span<const double> values) {
  return std::sqrt(variance_of(values) / static_cast<double>(values.size()));
}

}  // namespace headway
