// SPDX-License-Identifier: Apache-2.0
#include "headway/slotted/plan.h"

#include <algorithm>
#include <bit>

#include "headway/topology/banyan.h"

namespace headway::slotted {
namespace {

class Compiler {
 public:
  Compiler(const Design& design, const Traffic& traffic)
      : design_(design),
        traffic_(traffic),
        net_(make_banyan(design.wiring, design.fan_in, design.fan_out, design.stages())) {}

  Plan compile() {
    plan_.stages = net_.stages;
    plan_.classes = design_.classes;
    plan_.radix = design_.fan_out;
    plan_.digit_bits = static_cast<std::uint32_t>(std::bit_width(design_.fan_out - 1));
    plan_.rules = design_.rules;
    plan_.source_queue = net_.link_to[0];
    plan_.switching_elements = design_.switching_elements();
    for (std::uint32_t i = 0; i < net_.stages; ++i)
      plan_.hot_digits.push_back(net_.port(i, traffic_.hotspot));
    plan_.outputs_in.resize(plan_.zones());
    for (std::uint32_t d = 0; d < net_.outputs(); ++d) {
      plan_.zone_of.push_back(net_.stages - shared_digits(d));
      ++plan_.outputs_in[plan_.zone_of.back()];
    }
    compile_traffic();

    const bool queues_behind = design_.rules.queueing == Queueing::output_link;
    for (std::uint32_t i = 0; i < net_.stages; ++i) plan_.hops.push_back(stage_hop(i));
    if (queues_behind)
      plan_.hops.push_back(wire(layers_after(net_.stages - 1) * net_.outputs(), net_.outputs(), true));
    else
      plan_.hops.insert(plan_.hops.begin(), wire(net_.inputs(), net_.inputs(), false));
    for (std::uint32_t h = 0; h < plan_.hops.size(); ++h) {
      // Number of digits used for routing before this level.
      const std::uint32_t used = queues_behind ? h : h - std::min(h, 1U);
      plan_.levels.push_back(level(h, net_.stages - used));
    }
    return std::move(plan_);
  }

 private:
  std::uint32_t shared_digits(std::uint32_t destination) const {
    std::uint32_t n = 0;
    while (n < net_.stages && net_.port(n, destination) == plan_.hot_digits[n]) ++n;
    return n;
  }

  // Layers of the links behind a stage.
  std::uint32_t layers_after(std::uint32_t stage) const {
    return design_.layers_at(std::min(stage + 1, net_.stages - 1));
  }

  // Any output that a switch can reach.
  std::uint32_t reachable_output(std::uint32_t stage, std::uint32_t sw) const {
    std::uint32_t position = sw * net_.fan_in;
    for (std::uint32_t i = stage; i < net_.stages; ++i)
      position = net_.link_to[i + 1][position / net_.fan_in * net_.fan_out];
    return position;
  }

  // Layer y of stage i feeds layers first(y) .. first(y+1)-1 of the next stage, distributed evenly over its
  // inputs; when the next stage has fan_in times as many layers no two inputs contend (paper, section II,
  // Figure 2).
  Hop stage_hop(std::uint32_t i) const {
    const std::uint32_t here = design_.layers_at(i),
                        next = i + 1 < net_.stages ? design_.layers_at(i + 1) : here;
    const auto& links = net_.link_to[i + 1];
    const auto size = static_cast<std::uint32_t>(links.size());
    const bool to_sink = i + 1 == net_.stages && design_.rules.queueing != Queueing::output_link;
    Hop hop{
        net_.fan_in, net_.fan_out, plan_.digit_bits, design_.rules.queueing != Queueing::output_link, {}, {},
        {}};
    for (std::uint32_t y = 0; y < here; ++y)
      for (std::uint32_t sw = 0; sw < net_.switches(i); ++sw) {
        hop.first_link.push_back(static_cast<std::uint32_t>(hop.target.size()));
        hop.shared.push_back(std::min(i, shared_digits(reachable_output(i, sw))));
        const std::uint32_t from = y * next / here, width = (y + 1) * next / here - from;
        for (std::uint32_t o = 0; o < net_.fan_out; ++o) {
          const std::uint32_t end = links[sw * net_.fan_out + o];
          if (to_sink)
            hop.target.push_back(end);
          else if (design_.rules.spread == Spread::by_receiver)
            hop.target.push_back(end + (from + end % net_.fan_in * width / net_.fan_in) * size);
          else
            for (std::uint32_t g = 0; g < width; ++g) hop.target.push_back(end + (from + g) * size);
        }
      }
    hop.first_link.push_back(static_cast<std::uint32_t>(hop.target.size()));
    return hop;
  }

  Hop wire(std::uint32_t queues, std::uint32_t ends, bool at_end) const {
    Hop hop;
    for (std::uint32_t q = 0; q < queues; ++q) {
      hop.first_link.push_back(q);
      hop.target.push_back(q % ends);
      hop.shared.push_back(at_end ? shared_digits(q % ends) : 0);
    }
    hop.first_link.push_back(queues);
    return hop;
  }

  Level level(std::uint32_t h, std::uint32_t digits) const {
    const std::uint32_t per_link = h == 0 ? 1 : design_.queues_per_link(h - 1);
    Level level{plan_.hops[h].switches() * plan_.hops[h].fan_in * per_link,
                per_link,
                digits * plan_.digit_bits,
                0,
                {}};
    for (std::uint32_t c = 0; c < plan_.classes; ++c) {
      level.first_place.push_back(level.places);
      level.places += h == 0 ? 1 : design_.depth(h - 1, c);
    }
    level.first_place.push_back(level.places);
    return level;
  }

  void compile_traffic() {
    plan_.load = Probability::of(traffic_.load);
    plan_.hot = Probability::of(traffic_.hotspot_fraction);
    plan_.hot_class = traffic_.hotspot_class;
    double rest = 1.0;
    for (double share : traffic_.shares) {
      plan_.class_given_lower.push_back(Probability::of(rest > 0 ? std::min(1.0, share / rest) : 1.0));
      rest -= share;
    }
    plan_.class_given_lower.back() = Probability::of(1.0);
    const double hot = traffic_.hotspot_fraction;
    double uniform =
        (1 - hot) * traffic_.shares[traffic_.hotspot_class];  // hot-class packets that share m digits
    for (std::uint32_t m = 0; m <= net_.stages; ++m, uniform /= design_.fan_out)
      plan_.redraw_hot.push_back(Probability::of(hot > 0 ? hot / (hot + uniform) : 0));
  }

  const Design& design_;
  const Traffic& traffic_;
  Banyan net_;
  Plan plan_;
};

}  // namespace

Plan compile(const Design& design, const Traffic& traffic) {
  Mistakes mistakes;
  check(design, traffic, mistakes);
  mistakes.throw_if_any();
  return Compiler(design, traffic).compile();
}

}  // namespace headway::slotted
