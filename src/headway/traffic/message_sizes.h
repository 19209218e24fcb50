// SPDX-License-Identifier: Apache-2.0
// The message-size family: how long the messages of a flow are. A member is compiled into a mixture of
// components, from which a source draws the size of its next message.
#pragma once

#include <cstdint>
#include <vector>

#include "headway/base/error.h"
#include "headway/base/rng.h"
#include "headway/config/parameters.h"
#include "headway/config/registry.h"

namespace headway {

class SizeDistribution {
 public:
  // With the probability `share`, a size from `first` to `last` bytes, all equally probable.
  struct Component {
    double share;
    std::uint64_t first, last;
  };
  // Shares add up to 1; first >= 1.
  explicit SizeDistribution(const std::vector<Component>& components);

  // Returns true if all messages have the size `least`.
  bool fixed() const { return least_ == most_; }
  std::uint64_t least() const { return least_; }
  std::uint64_t most() const { return most_; }
  double mean() const { return mean_; }
  // The mean size of the message to which a random byte belongs, E(S^2) / E(S). As many bytes in messages of
  // this fixed size have the same variance.
  double mean_of_bytes() const { return mean_of_bytes_; }

  // Bytes of the shortest packet of all messages, if messages are cut into packets of `full` bytes.
  std::uint64_t shortest_packet(std::uint64_t full) const;
  // The largest size of which all packets are multiples.
  std::uint64_t unit_of_packets(std::uint64_t full) const;

  std::uint64_t next(Rng& rng) const;

  // Calls visit(probability, first, last) for each range of sizes that are equally probable.
  template <class Visit>
  void for_each(Visit&& visit) const {
    std::uint64_t before = 0;
    for (const Piece& piece : pieces_) {
      visit(static_cast<double>(piece.threshold - before) * 0x1p-53, piece.first,
            piece.first + piece.count - 1);
      before = piece.threshold;
    }
  }

 private:
  struct Piece {
    std::uint64_t threshold;  // cumulative probability, in 2^-53
    std::uint64_t first;
    std::uint64_t count;
  };
  std::vector<Piece> pieces_;
  std::uint64_t least_ = UINT64_MAX;
  std::uint64_t most_ = 0;
  double mean_ = 0;
  double mean_of_bytes_ = 0;
};

class MessageSizes {
 public:
  virtual ~MessageSizes() = default;
  virtual void describe(Parameters&) {}
  // Reports parameters that do not fit together; keys are relative to the flow.
  virtual void check(Mistakes&) const {}
  // For packets of `packet` bytes. Throws SpecError if `check` finds a mistake.
  virtual SizeDistribution build(std::int64_t packet) const = 0;
};

Registry<MessageSizes> message_sizes();

}  // namespace headway
