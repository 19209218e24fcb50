// SPDX-License-Identifier: Apache-2.0
// Flow control: the room behind links as the senders know it. It is counted in credits: one per free packet
// slot of the memory behind a link or, with cells, one per free cell (docs/modelling.md, "Cells"). Each queue
// is an account of credits. If the queues of a port or of a lane share its memory, its first queue is the
// account of all of them. The queue of destination nodes, the sink, always has room. Behind it are the
// accounts of slow nodes, one per lane of their receive memory.
//
// With pauses (congestion/pauses.h), the accounts of switches and slow nodes are open or closed, and nobody
// takes their credits.
//
// Each account is that of one sender; a part of a run uses those of its senders (state.h).
//
// A sender takes the credits of a packet when it sends the packet or, with adaptive routing, when it binds a
// head to an output. They return after the packet has left the memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "headway/base/fetch.h"
#include "headway/engine/network.h"

namespace headway {

// The credits that a packet takes if memory is counted in slots. The type keeps the number out of the code.
using OneSlot = std::integral_constant<std::uint32_t, 1>;

// Memory of a queue that a packet has left, or is about to leave. Events name it by one word: with slots, the
// queue; with cells, the number of the queue at its port and the number of cells. kNone is no such word,
// because a port has at most kMostQueuesPerPort queues.
// `kCells`: for engine instances whose networks may have cells.
template <bool kCells>
struct FreedRoom {
  std::uint32_t queue;
  [[no_unique_address]] std::conditional_t<kCells, std::uint32_t, OneSlot> credits;

  // `first_queue`: that of the port.
  std::uint32_t word(std::uint32_t first_queue) const {
    if constexpr (kCells)
      return (queue - first_queue) << 16 | credits;
    else
      return queue;
  }
  static FreedRoom of(std::uint32_t word, std::uint32_t first_queue) {
    if constexpr (kCells)
      return {first_queue + (word >> 16), word & 0xffff};
    else
      return {word, {}};
  }
};

class FlowControl {
 public:
  // The credits of all accounts at the start.
  static std::vector<std::uint16_t> first_credits(const Network& network);
  // Their sum, without the sink. Not with pauses.
  static std::uint64_t first_room(const Network& network);
  // `credits`: [queue], one more for the sink, and the lanes of slow nodes.
  FlowControl(const Network& network, std::span<std::uint16_t> credits)
      : sink_(network.queues),
        channels_(network.queue_map.channels),
        choice_(network.queue_map.choice),
        credits_(credits) {}

  std::uint32_t sink() const { return sink_; }

  // The credits of an account; for a group, the sum over its channels.
  std::uint32_t room(std::uint32_t account) const { return credits_[account]; }
  std::uint32_t room_of_group(std::uint32_t first) const {
    std::uint32_t room = 0;
    for (std::uint32_t c = 0; c < channels_; ++c) room += credits_[first + c];
    return room;
  }
  // Returns true if one of the `channels` accounts from `first` on has as many credits as a packet needs.
  bool has_room(std::uint32_t first, std::uint32_t channels, std::uint32_t needed = 1) const {
    if (channels == 1 || first >= sink_) return credits_[first] >= needed;
    for (std::uint32_t c = 0; c < channels; ++c)
      if (credits_[first + c] >= needed) return true;
    return false;
  }

  // The channel that a packet takes in the group whose first account is `first`. A channel must have the
  // needed credits. With most room, ties go to the first channel at or after the pointer, which moves past
  // the chosen one (docs/modelling.md, "Grant").
  std::uint32_t choose_channel(std::uint32_t first, std::uint16_t& pointer, std::uint32_t needed) const;

  void take(std::uint32_t account, std::uint32_t credits) {
    credits_[account] = static_cast<std::uint16_t>(credits_[account] - credits);
  }
  // Returns the room before the call.
  std::uint32_t give_back(std::uint32_t account, std::uint32_t credits) {
    const std::uint32_t before = credits_[account];
    credits_[account] = static_cast<std::uint16_t>(before + credits);
    return before;
  }

  // With pauses: opens or closes accounts. An open one has room for every packet, and takes no credits.
  void open(std::uint32_t first, std::uint32_t accounts, bool opens) {
    std::fill_n(credits_.begin() + first, accounts, opens ? kOpen : std::uint16_t{0});
  }

  void fetch(std::uint32_t account) const { headway::fetch(&credits_[account]); }

 private:
  static constexpr std::uint16_t kOpen = 0xffff;

  std::uint32_t sink_;
  std::uint32_t channels_;
  ChannelChoice choice_;
  std::span<std::uint16_t> credits_;
};

}  // namespace headway
