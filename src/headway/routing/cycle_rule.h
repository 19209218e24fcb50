// SPDX-License-Identifier: Apache-2.0
// The key "cycles" of routings whose paths can wait for each other in a cycle.
#pragma once

#include "headway/config/names.h"
#include "headway/config/parameters.h"
#include "headway/routing/routes.h"

namespace headway {

class CycleRule {
 public:
  enum class Treatment { refuse, lanes, allow };
  friend constexpr auto names_in_specs(Treatment) { return name_list("refuse", "lanes", "allow"); }

  void describe(Parameters& parameters) {
    parameters.field(
        {.name = "cycles",
         .help = "treatment of routes that can deadlock: report an error (refuse), report one "
                 "unless switch.lane_table_file breaks every cycle (lanes), or run them (allow; a "
                 "run detects a deadlock); see docs/lanes.md"},
        treatment_);
  }
  bool refuses() const { return treatment_ == Treatment::refuse; }
  void apply_to(Routes& routes) const {
    if (treatment_ == Treatment::lanes) routes.cycles = Cycles::left_to_services;
    if (treatment_ == Treatment::allow) routes.cycles = Cycles::accepted;
  }

 private:
  Treatment treatment_ = Treatment::refuse;
};

}  // namespace headway
