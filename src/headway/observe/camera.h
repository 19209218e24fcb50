// SPDX-License-Identifier: Apache-2.0
// Takes photographs of one network in four steps: it reads what heads wait for, follows them to their roots,
// charges every packet to a root, and sums up. It does not change the simulation.
#pragma once

#include <cstdint>
#include <vector>

#include "headway/observe/charges.h"

namespace headway {

class Camera {
 public:
  // The census of flows, if any, counts every packet that waits; it must outlive the camera. With several
  // flows, the simulation must then keep what it sends (SimulationOptions::keep_sent).
  Camera(const Network& network, std::uint64_t seed, FlowCensus* census = nullptr);
  Camera(const Camera&) = delete;
  Camera& operator=(const Camera&) = delete;

  // Valid until the next call.
  const Photograph& take(const StateView& view);

  // Memory of a camera, without its data of packets.
  static std::uint64_t bytes(const Layout& layout);

 private:
  void note_senders(const StateView& view);
  void grow_trees();
  void put_roots_in_order();

  const Network& network_;
  FlowCensus* census_;
  Photograph photograph_;
  HeadWaits heads_;
  WaitRoots roots_;
  Charges charges_;

  // Members only to reuse their memory.
  std::vector<PortId> last_port_;  // [root] the port that was last counted in its tree
  std::vector<RootSeen> unordered_;
  std::vector<std::uint32_t> consumed_;  // [node] generator of the packet that it consumes, or kNone
};

}  // namespace headway
