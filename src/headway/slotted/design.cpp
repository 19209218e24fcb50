// SPDX-License-Identifier: Apache-2.0
#include "headway/slotted/design.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "headway/config/registry.h"

namespace headway::slotted {
namespace {

constexpr std::uint32_t kMaxClasses = 8;
constexpr std::uint32_t kMaxBuffer = 1U << 12;
constexpr std::uint64_t kMaxQueueBytes = 1ULL << 34;  // keeps every place of a level within 32 bits

bool is_share(double x) { return x >= 0 && x <= 1; }

void check_layers(const Design& design, std::uint32_t stages, Mistakes& mistakes) {
  if (design.layers.empty()) return;
  if (design.layers.size() != stages) {
    mistakes.add("network.layers", fmt::format("{} entries for {} stages", design.layers.size(), stages),
                 "give one number per stage");
    return;
  }
  if (design.layers.front() != 1)
    mistakes.add("network.layers", fmt::format("stage 1 has {} layers", design.layers.front()),
                 "the network inputs lead to one layer");
  for (std::uint32_t i = 0; i + 1 < stages; ++i) {
    const std::uint32_t here = design.layers[i], next = design.layers[i + 1];
    if (next < here || next > std::uint64_t{design.fan_in} * here)
      mistakes.add("network.layers", fmt::format("stage {} has {} layers after {}", i + 2, next, here),
                   fmt::format("from {} to {}: a switch has {} inputs", here,
                               std::uint64_t{design.fan_in} * here, design.fan_in));
  }
}

void check_buffers(const Design& design, std::uint32_t stages, Mistakes& mistakes) {
  if (design.buffers.empty()) return;
  if (design.buffers.size() != stages) {
    mistakes.add("switch.stage_buffers",
                 fmt::format("{} entries for {} stages", design.buffers.size(), stages),
                 "give one per stage");
    return;
  }
  for (std::uint32_t i = 0; i < stages; ++i) {
    const auto& depths = design.buffers[i];
    if (depths.size() != 1 && depths.size() != design.classes)
      mistakes.add("switch.stage_buffers",
                   fmt::format("stage {}: {} entries for {} classes", i + 1, depths.size(), design.classes),
                   "give one, or one per class");
    if (std::ranges::any_of(depths, [](std::uint32_t depth) { return depth < 1 || depth > kMaxBuffer; }))
      mistakes.add("switch.stage_buffers",
                   fmt::format("stage {}: the size of a queue is out of range", i + 1),
                   fmt::format("1 to {} packets", kMaxBuffer));
  }
}

void check_rules(const Design& design, std::uint32_t stages, Mistakes& mistakes) {
  const Rules& rules = design.rules;
  if (rules.queueing == Queueing::output_link && rules.output_slots == OutputSlots::per_class)
    mistakes.add("switch.output_slots", "\"per-class\" needs queues in front of the switches",
                 "with queueing \"output-link\", as many packets as fit pass in a slot");
  if (rules.queueing != Queueing::virtual_output) return;
  if (rules.blocked == Blocked::redraw)
    mistakes.add("switch.blocked", "\"redraw\" would move a packet to another queue of its link",
                 "use queueing \"input-link\"");
  for (std::uint32_t i = 0; i < stages; ++i)
    for (std::uint32_t c = 0; c < design.classes; ++c)
      if (const std::uint32_t places = design.buffer(i, c); places % design.queues_per_link(i) != 0)
        mistakes.add(
            "switch.buffer",
            fmt::format("stage {}: {} places of an input link cannot be divided evenly among {} output "
                        "links",
                        i + 1, places, design.fan_out),
            fmt::format("a multiple of {}, or less for one queue", design.fan_out));
}

void check_traffic(const Design& design, const Traffic& traffic, Mistakes& mistakes) {
  if (!is_share(traffic.load))
    mistakes.add("traffic.load", fmt::format("{} is not a load", traffic.load), "0 to 1");
  if (!is_share(traffic.hotspot_fraction))
    mistakes.add("traffic.hotspot_fraction", fmt::format("{} is not a fraction", traffic.hotspot_fraction),
                 "0 to 1");
  if (traffic.hotspot >= design.outputs())
    mistakes.add("traffic.hotspot", fmt::format("there is no output {}", traffic.hotspot),
                 fmt::format("0 to {}", design.outputs() - 1));
  if (traffic.hotspot_class >= design.classes)
    mistakes.add("traffic.hotspot_class", fmt::format("there is no class {}", traffic.hotspot_class),
                 fmt::format("0 to {}", design.classes - 1));
  if (traffic.shares.size() != design.classes) {
    mistakes.add("traffic.class_percent",
                 fmt::format("{} shares for {} classes", traffic.shares.size(), design.classes),
                 "give one per class");
    return;
  }
  const double sum = std::accumulate(traffic.shares.begin(), traffic.shares.end(), 0.0);
  if (!std::ranges::all_of(traffic.shares, is_share) || std::abs(sum - 1.0) > 1e-9)
    mistakes.add("traffic.class_percent",
                 fmt::format("the shares of the classes add up to {:.6g} %", 100 * sum),
                 "no share may be negative, and their sum must be 100");
}

}  // namespace

std::uint32_t Design::stages() const { return exact_log(fan_in, nodes); }

std::uint32_t Design::outputs() const {
  std::uint32_t result = 1;
  for (std::uint32_t i = 0; i < stages(); ++i) result *= fan_out;
  return result;
}

std::uint32_t Design::buffer(std::uint32_t stage, std::uint32_t priority) const {
  if (buffers.empty()) return 2;
  return buffers[stage].size() == 1 ? buffers[stage].front() : buffers[stage][priority];
}

std::uint32_t Design::queues_per_link(std::uint32_t stage) const {
  if (rules.queueing != Queueing::virtual_output) return 1;
  for (std::uint32_t c = 0; c < classes; ++c)
    if (buffer(stage, c) < fan_out) return 1;
  return fan_out;
}

std::uint64_t Design::switching_elements() const {
  std::uint64_t sum = 0, links = nodes;
  for (std::uint32_t i = 0; i < stages(); ++i) {
    sum += links / fan_in * layers_at(i);
    links = links / fan_in * fan_out;
  }
  return sum;
}

std::uint64_t Design::queue_bytes() const {
  constexpr std::uint64_t kStampPlanes = 32;  // of most runs (stages.h)
  const std::uint64_t planes =
      std::uint64_t{stages()} * std::bit_width(fan_out - 1) + (rules.loses_destinations() ? kStampPlanes : 0);
  std::uint64_t words = 0, links = nodes;
  for (std::uint32_t i = 0; i < stages(); ++i) {
    for (std::uint32_t c = 0; c < classes; ++c) words += links * layers_at(i) * buffer(i, c) * (1 + planes);
    links = links / fan_in * fan_out;
  }
  return words * sizeof(std::uint64_t);
}

void check(const Design& design, const Traffic& traffic, Mistakes& mistakes) {
  const bool fans =
      design.fan_in >= 2 && design.fan_in <= kMaxFan && design.fan_out >= 2 && design.fan_out <= kMaxFan;
  if (!fans) {
    mistakes.add("network.fan_in",
                 fmt::format("{}x{} switches are not possible", design.fan_in, design.fan_out),
                 fmt::format("2 to {} inputs and outputs", kMaxFan));
    return;
  }
  const std::uint32_t stages = design.stages();
  if (stages == 0 || design.nodes > kMostMultistageNodes ||
      std::pow(design.fan_out, stages) > kMostMultistageNodes) {
    mistakes.add(
        "network.nodes",
        fmt::format("a network of {} inputs cannot be built from switches with {} inputs", design.nodes,
                    design.fan_in),
        fmt::format("a power of {}, up to {} inputs and outputs", design.fan_in, kMostMultistageNodes));
    return;
  }
  const auto wiring = std::ranges::find(wirings(), design.wiring, &WiringName::name);
  if (wiring == wirings().end()) {
    mistakes.add("network.topology", fmt::format("unknown wiring '{}'", design.wiring),
                 fmt::format("{}", fmt::join(names_of(wirings()), ", ")));
  } else if (design.fan_in != design.fan_out && !wiring->rectangular) {
    mistakes.add("network.topology",
                 fmt::format("'{}' needs switches with equally many inputs and outputs", design.wiring),
                 "omega or delta");
  }
  if (design.classes < 1 || design.classes > kMaxClasses) {
    mistakes.add("switch.classes", fmt::format("{} classes", design.classes),
                 fmt::format("1 to {}", kMaxClasses));
    return;
  }
  const std::size_t before = mistakes.list().size();
  check_layers(design, stages, mistakes);
  check_buffers(design, stages, mistakes);
  if (mistakes.list().size() == before) check_rules(design, stages, mistakes);
  if (mistakes.list().size() == before && design.queue_bytes() > kMaxQueueBytes)
    mistakes.add("network.nodes", fmt::format("its queues need {} GiB of memory", design.queue_bytes() >> 30),
                 fmt::format("at most {} GiB", kMaxQueueBytes >> 30));
  check_traffic(design, traffic, mistakes);
}

}  // namespace headway::slotted
