// SPDX-License-Identifier: Apache-2.0
// VOQnet, virtual output queueing at network level: a queue per destination at every input port, so packets
// to different destinations never wait for each other. The upper bound; its cost increases with the size of
// the network. Source: Nachiondo et al. (DBBM), Euro-Par 2005, section 3; OBQA (Euro-Par 2010), section 4.1.
#include "headway/queueing/scheme.h"

namespace headway {
namespace {

class VoqNetwork final : public Scheme {
 public:
  QueueMap build(const Graph& graph) const override {
    return QueueMap::from(QueueKey::destination, graph.nodes(), graph.nodes(),
                          [](std::uint32_t destination) { return destination; });
  }
};

}  // namespace

Entry<Scheme> voqnet() {
  return {"voqnet", "one queue per destination in the network", "DBBM (Euro-Par 2005), section 3",
          make_entry<Scheme, VoqNetwork>};
}

}  // namespace headway
