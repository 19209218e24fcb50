// SPDX-License-Identifier: Apache-2.0
// Packets that are much shorter than the slots of memory that they occupy.
#include "headway/compile/notes.h"

#include <fmt/format.h>

#include <vector>

#include "headway/base/rng.h"
#include "headway/compile/trace.h"
#include "headway/spec/flow_names.h"
#include "headway/trace/byte_stream.h"

namespace headway {
namespace {

constexpr double kEnough = 0.5;
constexpr int kSampledMessages = 1000;  // of a sample

// Sums over messages.
class SlotFill {
 public:
  explicit SlotFill(const Framing& framing) : framing_(framing) {}

  void add(std::uint64_t message) {
    bytes_ += static_cast<double>(framing_.frames(message));
    slots_ += framing_.cut(message).packets;
  }
  // Bytes of a packet over bytes of its slot; 1 without messages.
  double mean() const { return slots_ == 0 ? 1 : bytes_ / slots_ / framing_.full_frame(); }

 private:
  Framing framing_;
  double bytes_ = 0;
  double slots_ = 0;
};

double fill_of(const FlowSpec& flow, const Framing& framing) {
  const SizeDistribution sizes = flow.sizes->build(framing.payload);
  SlotFill fill(framing);
  Rng rng(0, 0);
  for (int i = 0; i < (sizes.fixed() ? 1 : kSampledMessages); ++i) fill.add(sizes.next(rng));
  return fill.mean();
}

// By the first messages of the trace. What is wrong with the file is reported elsewhere.
double fill_of(const TraceSpec& trace, const EventSpec& spec) {
  SlotFill fill(spec.traffic.framing());
  try {
    TraceWindow window =
        window_of(trace, static_cast<std::uint32_t>(spec.network.topology->nodes()), spec.seed);
    window.most_records = kSampledMessages;
    window.most_bytes = 1 << 20;
    TracePass pass(window);
    while (const auto message = pass.next()) fill.add(message->bytes);
  } catch (const EnoughRead&) {  // these messages are enough
  } catch (const SpecError&) {
    return 1;
  }
  return fill.mean();
}

}  // namespace

std::string note_of_short_packets(const EventSpec& spec, bool traces) {
  // with pauses, lanes count what packets are long
  if (spec.switches.cell || spec.switches.flow_control->pauses()) return "";
  const Framing framing = spec.traffic.framing();
  const std::vector<std::string> names = flow_names(spec.traffic);
  const std::size_t flows = spec.traffic.flows.size();
  // Choice: messages of jobs are not counted; their sizes are those of the user's program.
  for (std::size_t i = 0; i < flows + (traces ? spec.traffic.traces.size() : 0); ++i) {
    const double fill =
        i < flows ? fill_of(spec.traffic.flows[i], framing) : fill_of(spec.traffic.traces[i - flows], spec);
    if (fill >= kEnough) continue;
    return fmt::format(
        "a packet takes a slot of {} whatever its length, and the packets of {} fill {:.2g} % of their "
        "slots; "
        "with switch.cell, for example \"64 B\", memory counts their length",
        to_string(spec.traffic.frame()), names[i], 100 * fill);
  }
  return "";
}

}  // namespace headway
