// SPDX-License-Identifier: Apache-2.0
// A sentence of `headway why`, and what supports it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "headway/config/names.h"

namespace headway {

// A sentence without one of these supports is not told.
enum class Support : std::uint8_t {
  account,  // it says what was counted or measured in this run: photographs, critical paths, delivered bytes
  run,      // another run was made: it compares the two
  theorem,  // it holds for every run under the conditions that it names: a cycle, demand above capacity
};
constexpr auto names_in_specs(Support) { return name_list("account", "run", "theorem"); }

struct Sentence {
  std::string text;
  Support support = Support::account;
};

// With its support behind it: "Job train took 3 ms. [account]".
std::string text_of(const Sentence& sentence);
// One sentence after the other, each in lines of at most `columns`.
std::string text_of(const std::vector<Sentence>& sentences, std::size_t columns);

// Collects sentences.
class Told {
 public:
  template <class... Values>
  void say(Support support, fmt::format_string<Values...> form, Values&&... values) {
    all_.push_back({fmt::format(form, std::forward<Values>(values)...), support});
  }
  template <class... Values>
  void say(fmt::format_string<Values...> form, Values&&... values) {
    say(Support::account, form, std::forward<Values>(values)...);
  }
  std::vector<Sentence> take() { return std::move(all_); }

 private:
  std::vector<Sentence> all_;
};

}  // namespace headway
