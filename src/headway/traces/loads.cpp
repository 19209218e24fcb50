// SPDX-License-Identifier: Apache-2.0
#include "headway/traces/loads.h"

#include <algorithm>
#include <functional>

namespace headway {

double TraceLoads::mean() const {
  return static_cast<double>(summary_.bytes) /
         (bytes_per_ps_ * static_cast<double>(summary_.length) * static_cast<double>(summary_.in.size()));
}

double TraceLoads::of(std::uint64_t bytes) const {
  return static_cast<double>(bytes) / (bytes_per_ps_ * static_cast<double>(summary_.length));
}

double TraceLoads::in_bin(const TimeBins& bins, NodeId node, std::size_t bin) const {
  return static_cast<double>(bins.at(node, bin)) / (bytes_per_ps_ * static_cast<double>(bins.width()));
}

double TraceLoads::in_bin(const LoadedLink& link, std::size_t bin) const {
  return in_bin(bins_of(link), link.node, bin);
}

double TraceLoads::mean_in_bin(std::size_t bin) const {
  double sum = 0;
  for (NodeId node = 0; node < summary_.in.size(); ++node) sum += in_bin(summary_.bytes_out, node, bin);
  return sum / static_cast<double>(summary_.in.size());
}

double TraceLoads::peak(const LoadedLink& link) const {
  double most = 0;
  for (std::size_t bin = 0; bin < bins_of(link).used(); ++bin) most = std::max(most, in_bin(link, bin));
  return most;
}

std::vector<LoadedLink> links_by_bytes(const TraceSummary& summary) {
  std::vector<LoadedLink> links;
  for (NodeId node = 0; node < summary.in.size(); ++node) {
    links.push_back({node, true, summary.in[node]});
    links.push_back({node, false, summary.out[node]});
  }
  std::ranges::stable_sort(links, std::greater<>(), &LoadedLink::bytes);
  return links;
}

}  // namespace headway
