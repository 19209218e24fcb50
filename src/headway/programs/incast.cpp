// SPDX-License-Identifier: Apache-2.0
// Incast: many senders send to few receivers at the same time. The iterations of the job are the bursts.
// Source: Phanishayee et al., "Measurement and analysis of TCP throughput collapse in cluster-based storage
// systems", FAST 2008.
#include "headway/programs/parts.h"

namespace headway {
namespace {

class Incast final : public ProgramKind {
 public:
  void describe(Parameters& parameters) override {
    roles_.describe(parameters,
                    "number of senders, which are the first ranks; default: all that do not receive",
                    "number of receivers; default: 1, or all that do not send");
    parameters.field(bytes_parameter("size", "bytes that each sender sends to each receiver"), size_);
    parameters.field(
        bytes_parameter("request",
                        "bytes of a request, which a receiver sends to each sender and which the sender "
                        "waits for; default: there are no requests"),
        request_);
  }
  std::optional<std::uint32_t> ranks() const override { return roles_.ranks(); }
  void check(std::uint32_t ranks, Mistakes& mistakes) const override { roles_.check(ranks, mistakes); }

  void build(ProgramBuilder& builder) const override {
    const auto [senders, receivers] = roles_.counts(builder.ranks());
    const std::uint32_t tag = request_ ? 1 : 0;
    for (std::uint32_t sender = 0; sender < senders; ++sender)
      for (std::uint32_t receiver = senders; receiver < senders + receivers; ++receiver) {
        if (request_) {
          const std::uint32_t request = builder.receive(sender, receiver, bytes_of(*request_));
          builder.require(sender, builder.send(sender, receiver, bytes_of(size_), tag), request);
        } else {
          builder.send(sender, receiver, bytes_of(size_));
        }
      }
    for (std::uint32_t receiver = senders; receiver < senders + receivers; ++receiver) {
      if (request_)
        for (std::uint32_t sender = 0; sender < senders; ++sender)
          builder.send(receiver, sender, bytes_of(*request_));
      for (std::uint32_t sender = 0; sender < senders; ++sender)
        builder.receive(receiver, sender, bytes_of(size_), tag);
    }
  }

 private:
  TwoRoles roles_{"senders", "receivers", 1};
  Bytes size_{64 << 10};
  std::optional<Bytes> request_;
};

}  // namespace

Entry<ProgramKind> incast() {
  return {"incast", "many senders send to few receivers at the same time", "Phanishayee et al., FAST 2008",
          make_entry<ProgramKind, Incast>};
}

}  // namespace headway
