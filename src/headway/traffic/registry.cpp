// SPDX-License-Identifier: Apache-2.0
// All destination patterns and arrival processes, in the order in which they are listed. One line per file.
#include "headway/traffic/arrivals.h"
#include "headway/traffic/pattern.h"

namespace headway {

Entry<Pattern> uniform(), hotspot(), complement(), permutation(), perfect_shuffle(), bit_reversal(),
    transpose(), butterfly(), tornado(), neighbour();

Registry<Pattern> patterns() {
  static const Entry<Pattern> entries[] = {uniform(),         hotspot(),      complement(), permutation(),
                                           perfect_shuffle(), bit_reversal(), transpose(),  butterfly(),
                                           tornado(),         neighbour()};
  return entries;
}

Entry<Arrivals> poisson(), bernoulli(), periodic(), saturated();

Registry<Arrivals> arrival_processes() {
  static const Entry<Arrivals> entries[] = {poisson(), bernoulli(), periodic(), saturated()};
  return entries;
}

}  // namespace headway
