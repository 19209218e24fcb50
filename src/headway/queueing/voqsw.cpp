// SPDX-License-Identifier: Apache-2.0
// VOQsw, virtual output queueing at switch level: as many queues as the switch has output ports, so packets
// that request different ports of this switch never wait for each other. Blocking of higher order (beyond
// this switch) remains. Source: Nachiondo et al. (DBBM), Euro-Par 2005, section 3; OBQA (Euro-Par 2010),
// section 4.1.
#include "headway/queueing/scheme.h"

namespace headway {
namespace {

class VoqSwitch final : public Scheme {
 public:
  QueueMap build(const Graph& graph) const override {
    return QueueMap::from(QueueKey::output, graph.max_radix(), graph.max_radix(),
                          [](std::uint32_t output) { return output; });
  }
};

}  // namespace

Entry<Scheme> voqsw() {
  return {"voqsw", "one queue per output port of the switch", "DBBM (Euro-Par 2005), section 3",
          make_entry<Scheme, VoqSwitch>};
}

}  // namespace headway
