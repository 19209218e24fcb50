// SPDX-License-Identifier: Apache-2.0
#include "headway/congestion/congestion_window.h"

#include "headway/congestion/reaction.h"
#include "headway/congestion/reactions.h"

namespace headway {
namespace {

class CongestionWindowKeys final : public ReactionOf<CongestionWindow> {
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
    const std::int64_t bytes = window_ ? window_->count : context.bytes_of_round_trip;
    return ReactionRules{.own = CongestionWindow{.bytes = static_cast<std::uint64_t>(bytes)}};
  }

 private:
  std::optional<Bytes> window_;
};

}  // namespace

Entry<Reaction> CongestionWindow::entry() {
  return {"window", "a limit for the bytes of a flow in flight; needs no marks", "Headway",
          make_entry<Reaction, CongestionWindowKeys>};
}

}  // namespace headway
