// SPDX-License-Identifier: Apache-2.0
// The load that a trace puts on the links of nodes, as a fraction of the link rate, before compression.
#pragma once

#include <cstdint>
#include <vector>

#include "headway/base/units.h"
#include "headway/traces/summary.h"

namespace headway {

// The link into or out of a node, with its bytes.
struct LoadedLink {
  NodeId node = 0;
  bool into = true;
  std::uint64_t bytes = 0;
};

// A reference to the summary of a trace with messages, for links of this rate. The summary must outlive it.
class TraceLoads {
 public:
  TraceLoads(const TraceSummary& summary, const Rate& link)
      : summary_(summary), bytes_per_ps_(link.bytes_per_ns.to_double() / kNanosecond) {}

  // Over the whole window: the mean of all nodes, and the load of a link that carries so many bytes.
  double mean() const;
  double of(std::uint64_t bytes) const;
  // In one bin: the load of the link into or out of a node, and the mean of the links out of all nodes.
  double in_bin(const LoadedLink& link, std::size_t bin) const;
  double mean_in_bin(std::size_t bin) const;
  // The largest load of the link in one bin.
  double peak(const LoadedLink& link) const;

  // The time bins of the link's direction.
  const TimeBins& bins_of(const LoadedLink& link) const {
    return link.into ? summary_.bytes_in : summary_.bytes_out;
  }

 private:
  double in_bin(const TimeBins& bins, NodeId node, std::size_t bin) const;

  const TraceSummary& summary_;
  double bytes_per_ps_;
};

// The links of all nodes, those with the most bytes first.
std::vector<LoadedLink> links_by_bytes(const TraceSummary& summary);

}  // namespace headway
