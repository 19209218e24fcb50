// SPDX-License-Identifier: Apache-2.0
// Flow control: the room behind links as the senders know it. It is counted in credits, one per packet that
// the memory behind a link can still store (docs/modelling.md, "In short"). Each queue is an account of
// credits. If the queues of a port share its memory, the port's first queue is the account of all of them.
// The queue of destination nodes, the sink, always has room.
//
// A sender takes a credit when it sends a packet or, with adaptive routing, when it binds a head to an
// output. The credit returns after the packet has left the memory.
#pragma once

#include <cstdint>
#include <vector>

#include "headway/base/fetch.h"
#include "headway/engine/network.h"

namespace headway {

class FlowControl {
 public:
  explicit FlowControl(const Network& network);

  std::uint32_t sink() const { return sink_; }

  // The number of packets that an account has room for; for a group, the sum over its channels.
  std::uint32_t room(std::uint32_t account) const { return credits_[account]; }
  std::uint32_t room_of_group(std::uint32_t first) const {
    std::uint32_t room = 0;
    for (std::uint32_t c = 0; c < channels_; ++c) room += credits_[first + c];
    return room;
  }
  // Returns true if one of the `channels` accounts from `first` on has room for a packet and for the slots
  // that the packet must leave free.
  bool has_room(std::uint32_t first, std::uint32_t channels, std::uint16_t slots_to_leave = 0) const {
    if (channels == 1 || first == sink_) return credits_[first] > slots_to_leave;
    for (std::uint32_t c = 0; c < channels; ++c)
      if (credits_[first + c] > slots_to_leave) return true;
    return false;
  }

  // The channel that a packet takes in the group whose first account is `first`. A channel must have room for
  // the packet and for the slots to leave free. With most room, ties go to the first channel at or after the
  // pointer, which moves past the chosen one (docs/modelling.md, "Grant").
  std::uint32_t choose_channel(std::uint32_t first, std::uint16_t& pointer,
                               std::uint16_t slots_to_leave = 0) const;

  void take(std::uint32_t account) { --credits_[account]; }
  // Returns the room before the call.
  std::uint32_t give_back(std::uint32_t account) { return credits_[account]++; }

  std::uint64_t bytes() const { return credits_.size() * sizeof(credits_[0]); }  // Layout::state_bytes
  void fetch(std::uint32_t account) const { headway::fetch(&credits_[account]); }

 private:
  std::uint32_t sink_;
  std::uint32_t channels_;
  ChannelChoice choice_;
  std::vector<std::uint16_t> credits_;  // [queue], and one more for the sink, which never runs out
};

}  // namespace headway
