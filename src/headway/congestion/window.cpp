// SPDX-License-Identifier: Apache-2.0
// A window: a source may have only so much of a flow in flight.
#include "headway/congestion/reaction.h"

namespace headway {
namespace {

class FlowWindow final : public Reaction {
 public:
  void describe(Parameters& parameters) override {
    parameters.field(
        {.name = "window",
         .help = "this much of a flow may be in flight: admitted, and not acknowledged "
                 "notification_delay after its delivery; default: what its link sends in the round "
                 "trip of a full packet over the longest path, in whole packets",
         .bounds = Bounds::from(1, 1e15)},
        window_);
  }

  std::optional<ReactionRules> build(const ReactionContext& context) const override {
    return ReactionRules{
        .kind = ReactionKind::window,
        .window = static_cast<std::uint64_t>(window_ ? window_->count : context.bytes_of_round_trip)};
  }

 private:
  std::optional<Bytes> window_;
};

}  // namespace

Entry<Reaction> window_reaction() {
  return {"window", "a limit for the bytes of a flow in flight; needs no marks", "Headway",
          make_entry<Reaction, FlowWindow>};
}

}  // namespace headway
