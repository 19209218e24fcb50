// SPDX-License-Identifier: Apache-2.0
// Unidirectional multistage networks by the name of their wiring (banyan.h): node j sends into network input
// j and receives from output j. The event-driven kernel uses them as a Graph; the slotted kernel also
// supports switches with unequal numbers of inputs and outputs and stages with several layers, which a Graph
// cannot represent.
#pragma once

#include <string>
#include <vector>

#include "headway/topology/topology.h"

namespace headway {

class Multistage : public Topology {
 public:
  explicit Multistage(std::string_view wiring) : wiring_(wiring) {}

  void describe(Parameters& parameters) override;
  void check(Mistakes& mistakes) const override;  // checks the requirements of a Graph
  std::int64_t nodes() const override { return nodes_; }
  std::int64_t switch_ports() const override;
  Graph build(const Link& link) const override;

  const std::string& wiring() const { return wiring_; }
  std::int64_t fan_in() const { return fan_in_; }
  std::int64_t fan_out() const { return fan_out_.value_or(fan_in_); }
  std::vector<std::uint32_t> layers() const;  // [stage]

 private:
  std::uint32_t stages() const;  // 0 if nodes is not a power of fan_in

  std::string wiring_;
  std::int64_t nodes_ = 64;
  std::int64_t fan_in_ = 2;
  std::optional<std::int64_t> fan_out_;
  std::int64_t layers_ = 1;
  std::vector<std::int64_t> stage_layers_;
};

}  // namespace headway
