// SPDX-License-Identifier: Apache-2.0
// The first step of a photograph: who sends, and what the head of every queue waits for.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "headway/base/rng.h"
#include "headway/observe/photograph.h"

namespace headway {

class HeadWaits {
 public:
  // If a head can get room in several queues, a random draw decides for which one it waits.
  HeadWaits(const Network& network, std::uint64_t seed);

  // Reads holders, senders and queues.
  void read(const StateView& view, Photograph& photograph);
  // Instead: reads single queues, when they are asked for, until the next call of `read` or `begin`. The
  // simulation must keep what it sends (SimulationOptions::keep_sent).
  void begin(const StateView& view, Photograph& photograph);
  QueueSeen look_at(std::uint32_t queue);
  // What the packets that wait for an injection queue wait for.
  QueueSeen entrance(const StateView& view, const AdmittanceView& waiting);

  std::uint32_t place_of(std::uint32_t queue) const { return place_of_[queue]; }  // if it has packets
  PortId port_of(std::uint32_t queue) const { return port_of_[queue]; }           // whose input side holds it
  bool obeys_refusals(const StateView& view, std::uint32_t queue) const;
  // Returns true if packets that will enter these queues, or accounts of nodes, lack the same room.
  bool share_room(std::uint32_t a, std::uint32_t b) const;
  // The root of packets that wait for an output of a device.
  Root holding(PortId output) const;
  // The output that sends the packet that keeps a root busy; kNone: it sends none.
  PortId sends_for(const Root& root);

 private:
  struct Group {
    std::uint32_t first;
    std::uint32_t queues;
  };

  QueueSeen classify(const StateView& view, std::uint32_t queue, const WaitingPacket& packet);
  void choose_wait(const StateView& view, PortId input, QueueSeen& seen);
  void wait_for_room(const StateView& view, QueueSeen& seen, bool not_yet = false);
  void wait_for_node(const StateView& view, QueueSeen& seen) const;
  void wait_for_lines(const StateView& view, PortId behind, std::uint32_t lines, QueueSeen& seen);
  void wait_for_port(PortId input, PortId output, QueueSeen& seen) const;
  Group group_of(std::uint32_t target) const;
  std::uint32_t draw_queue(const StateView& view);
  Root empty_memory(PortId port);
  // Reads holders and senders of the ports of a device, if they have not been read.
  void see(std::uint32_t device);

  const Network& network_;
  Rng rng_;
  std::vector<PortId> port_of_;          // [queue]
  std::vector<std::uint32_t> place_of_;  // [queue] its index in Photograph::queues
  Photograph* photograph_ = nullptr;     // the one being taken
  std::optional<StateView> singly_;      // single queues are read
  std::vector<std::uint32_t> seen_;      // devices whose ports have been read, if single queues are read

  // Members only to reuse their memory.
  std::vector<Group> groups_;
  std::vector<std::uint32_t> targets_;
  std::vector<Transfer> transfers_;
  std::vector<DeviceTransfer> device_transfers_;
};

}  // namespace headway
