// SPDX-License-Identifier: Apache-2.0
// Slim fly: the graphs of McKay, Miller and Siran, in which every switch reaches every other over at most two
// links, with nearly as many switches as that allows. Source: Besta and Hoefler, "Slim Fly: a cost effective
// low-diameter network topology", SC 2014, section II-B; Hafner, "Geometric realisation of the graphs of
// McKay-Miller-Siran", J. Combinatorial Theory B 90(2), 2004, for the prime powers.
//
// Switches are (0, x, y) and (1, m, c), with x, y, m and c from the field of q elements. (0, x, y) and (0, x,
// y') are linked if y - y' is in the first generator set, (1, m, c) and (1, m, c') if c - c' is in the
// second, and (0, x, y) and (1, m, c) if y = m x + c.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "headway/topology/galois_field.h"
#include "headway/topology/parts.h"

namespace headway {
namespace {

constexpr std::int64_t kMostFieldSize = 64;  // the table of routes between switches has 4 q^4 entries

// q = 4 w + delta
int delta_of(std::int64_t q) { return q % 4 == 3 ? -1 : static_cast<int>(q % 4); }

// The two generator sets: powers of a primitive element.
struct Generators {
  std::vector<std::uint32_t> first, second;
};
Generators generators(const GaloisField& field) {
  Generators sets;
  const std::uint32_t q = field.size();
  if (delta_of(q) != -1) {
    for (std::uint32_t exponent = 0; exponent + 1 < q; exponent += 2) {
      sets.first.push_back(field.power(exponent));
      sets.second.push_back(field.power(exponent + 1));
    }
    return sets;
  }
  const std::uint32_t w = (q + 1) / 4;
  for (std::uint32_t i = 0; i < w; ++i) {
    sets.first.push_back(field.power(2 * i));
    sets.first.push_back(field.power(2 * w - 1 + 2 * i));
    sets.second.push_back(field.power(2 * i + 1));
    sets.second.push_back(field.power(2 * w + 2 * i));
  }
  return sets;
}

class SlimFly final : public Topology {
 public:
  void describe(Parameters& parameters) override {
    parameters.field({.name = "q",
                      .help = "size of the field: a prime power, not 2 modulo 4; there are 2 q^2 switches",
                      .bounds = Bounds::from(3, kMostFieldSize)},
                     q_);
    parameters.field({.name = "nodes_per_switch",
                      .help = "number of nodes at every switch; default: half the links of a switch to "
                              "others, rounded up",
                      .bounds = Bounds::from(1, kMostNodesPerSwitch)},
                     nodes_per_switch_);
  }

  void check(Mistakes& mistakes) const override {
    if (!is_valid(q_)) {
      std::string valid;
      for (std::int64_t q = 3; q <= kMostFieldSize; ++q)
        if (is_valid(q)) valid += (valid.empty() ? "" : ", ") + std::to_string(q);
      mistakes.add("network.q", std::to_string(q_) + " is not a prime power, or is 2 modulo 4", valid);
    } else if (nodes() > kMostNodes || per_switch() + links() > kMostSwitchPorts) {
      mistakes.add("network.nodes_per_switch",
                   "a slim fly of more than " + std::to_string(kMostNodes) + " nodes",
                   "use fewer nodes per switch");
    }
  }

  std::int64_t nodes() const override { return switches() * per_switch(); }
  std::int64_t switch_ports() const override { return switches() * (per_switch() + links()); }

  Graph build(const Link& link) const override {
    const auto q = static_cast<std::uint32_t>(q_), p = static_cast<std::uint32_t>(per_switch());
    const std::vector<std::vector<SwitchId>> neighbours = links_of_switches(q);
    Graph graph = equal_switches(switches(), p + links(), p, SlimFlyShape{q, p}, link);
    const auto port = [&](SwitchId from, SwitchId to) {
      const auto& list = neighbours[from];
      return graph.port(from,
                        p + static_cast<std::uint32_t>(std::ranges::lower_bound(list, to) - list.begin()));
    };
    for (SwitchId sw = 0; sw < neighbours.size(); ++sw)
      for (const SwitchId other : neighbours[sw])
        if (sw < other) graph.connect(port(sw, other), port(other, sw), link);
    return graph;
  }

 private:
  static bool is_valid(std::int64_t q) {
    return delta_of(q) != 2 && is_prime_power(static_cast<std::uint32_t>(q));
  }

  // [switch] the switches that it is linked to, in ascending order.
  static std::vector<std::vector<SwitchId>> links_of_switches(std::uint32_t q) {
    const GaloisField field(q);
    const Generators sets = generators(field);
    std::vector<std::vector<SwitchId>> links(std::size_t{2} * q * q);
    for (std::uint32_t x = 0; x < q; ++x)
      for (std::uint32_t y = 0; y < q; ++y) {
        for (const std::uint32_t g : sets.first) links[x * q + y].push_back(x * q + field.add(y, g));
        for (const std::uint32_t g : sets.second)
          links[(q + x) * q + y].push_back((q + x) * q + field.add(y, g));
        for (std::uint32_t m = 0; m < q; ++m) {
          const std::uint32_t other = (q + m) * q + field.subtract(y, field.multiply(m, x));
          links[x * q + y].push_back(other);
          links[other].push_back(x * q + y);
        }
      }
    for (auto& list : links) std::ranges::sort(list);
    return links;
  }

  std::int64_t switches() const { return 2 * q_ * q_; }
  std::int64_t links() const { return (3 * q_ - delta_of(q_)) / 2; }  // of a switch to others
  std::int64_t per_switch() const { return nodes_per_switch_.value_or((links() + 1) / 2); }

  std::int64_t q_ = 5;
  std::optional<std::int64_t> nodes_per_switch_;
};

}  // namespace

Entry<Topology> slim_fly() {
  return {"slim-fly", "graph of McKay, Miller and Siran: any two switches are at most two links apart",
          "Besta and Hoefler, SC 2014", make_entry<Topology, SlimFly>};
}

}  // namespace headway
