// SPDX-License-Identifier: Apache-2.0
// All destination patterns, arrival processes and message sizes, in the order in which they are listed. One
// line per file.
#include "headway/traffic/arrivals.h"
#include "headway/traffic/message_sizes.h"
#include "headway/traffic/pattern.h"

namespace headway {

Entry<Pattern> uniform(), hotspot(), complement(), permutation(), perfect_shuffle(), bit_reversal(),
    transpose(), butterfly(), tornado(), neighbour(), next_group(), destination_set(), matrix();

Registry<Pattern> patterns() {
  static const Entry<Pattern> entries[] = {
      uniform(),   hotspot(), complement(), permutation(), perfect_shuffle(), bit_reversal(), transpose(),
      butterfly(), tornado(), neighbour(),  next_group(),  destination_set(), matrix()};
  return entries;
}

Entry<Arrivals> poisson(), bernoulli(), periodic(), on_off(), saturated();

Registry<Arrivals> arrival_processes() {
  static const Entry<Arrivals> entries[] = {poisson(), bernoulli(), periodic(), on_off(), saturated()};
  return entries;
}

Entry<MessageSizes> fixed_size(), uniform_sizes(), bimodal_sizes(), sizes_of_file(), web_search_sizes(),
    data_mining_sizes();

Registry<MessageSizes> message_sizes() {
  static const Entry<MessageSizes> entries[] = {fixed_size(),    uniform_sizes(),    bimodal_sizes(),
                                                sizes_of_file(), web_search_sizes(), data_mining_sizes()};
  return entries;
}

}  // namespace headway
