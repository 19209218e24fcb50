// SPDX-License-Identifier: Apache-2.0
#include "headway/compile/slotted.h"

#include <algorithm>

#include "headway/topology/banyan.h"
#include "headway/topology/multistage.h"

namespace headway {
slotted::Design design_of(const SlottedSpec& spec) {
  const auto& net = dynamic_cast<const Multistage&>(*spec.network.topology);
  slotted::Design design;
  design.nodes = static_cast<std::uint32_t>(net.nodes());
  design.fan_in = static_cast<std::uint32_t>(net.fan_in());
  design.fan_out = static_cast<std::uint32_t>(net.fan_out());
  design.wiring = net.wiring();
  design.classes = static_cast<std::uint32_t>(spec.classes);
  design.layers = net.layers();
  if (spec.stage_buffers.empty()) {
    for (const std::uint32_t layers : design.layers)
      design.buffers.push_back({static_cast<std::uint32_t>(layers > 1 ? spec.layered_buffer : spec.buffer)});
  } else {
    const bool per_class = spec.stage_buffers.size() == std::size_t{design.stages()} * design.classes;
    for (std::size_t i = 0; i < spec.stage_buffers.size(); ++i) {
      if (!per_class || i % design.classes == 0) design.buffers.emplace_back();
      design.buffers.back().push_back(
          static_cast<std::uint32_t>(std::clamp<std::int64_t>(spec.stage_buffers[i], 0, UINT32_MAX)));
    }
  }
  design.rules.queueing = spec.queueing;
  design.rules.spread = spec.spread;
  design.rules.blocked = spec.blocked;
  design.rules.pass = spec.pass;
  design.rules.reuse = spec.reuse;
  design.rules.hold = spec.when_full == WhenFull::hold;
  return design;
}

slotted::Traffic traffic_of(const SlottedSpec& spec) {
  slotted::Traffic traffic;
  traffic.load = spec.load;
  traffic.hotspot_fraction = spec.hotspot_fraction;
  traffic.hotspot = static_cast<std::uint32_t>(std::min<std::int64_t>(spec.hotspot, UINT32_MAX));
  traffic.hotspot_class = static_cast<std::uint32_t>(
      std::min<std::int64_t>(spec.hotspot_class.value_or(spec.classes - 1), UINT32_MAX));
  traffic.shares.clear();
  for (const std::int64_t percent : spec.class_percent)
    traffic.shares.push_back(static_cast<double>(percent) / 100);
  if (spec.class_percent.empty()) {
    const double high = spec.classes == 1 ? 1.0 : spec.high_share;
    traffic.shares.assign(static_cast<std::size_t>(spec.classes),
                          (1 - high) / std::max<double>(1, static_cast<double>(spec.classes - 1)));
    traffic.shares.front() = high;
  }
  return traffic;
}

void check(const SlottedSpec& spec, Mistakes& mistakes) {
  if (dynamic_cast<const Multistage*>(spec.network.topology.get()) == nullptr) {
    std::string names;
    for (const auto& wiring : wirings()) names += (names.empty() ? "" : ", ") + std::string(wiring.name);
    mistakes.add("network.topology", "the slotted kernel supports only multistage networks", names);
    return;
  }
  slotted::check(design_of(spec), traffic_of(spec), mistakes);
}

}  // namespace headway
