// SPDX-License-Identifier: Apache-2.0
// Which inputs could go to several outputs of their switch in a tick, so that the draw of the tick decides
// what they do (skip.h).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace headway {

class DrawWatch {
 public:
  explicit DrawWatch(std::uint32_t most_ports) : asked_(most_ports) {}

  // Looks at a device before its round. `ask`: returns true if the input has a request for the output with
  // room behind it; `tell`: is called with an output that is not the only one of an input.
  template <class Crossbar, class Ask, class Tell>
  void look(Crossbar crossbar, Ask&& ask, Tell&& tell) {
    ++rounds_;
    const auto serve = [&](std::uint32_t output, const auto& inputs) {
      inputs.visit_from(0, [&](std::uint32_t input) {
        if (ask(input, output) && std::exchange(asked_[input], rounds_) == rounds_) tell(output);
        return false;
      });
    };
    crossbar.visit([] { return 0U; }, serve);
  }

 private:
  std::uint64_t rounds_ = 0;
  std::vector<std::uint64_t> asked_;  // [input] the last round in which it had an output
};

}  // namespace headway
