// SPDX-License-Identifier: Apache-2.0
// The text of a spec, line by line, with a comment on every choice.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/config/document.h"

namespace headway::imports {

class SpecText {
 public:
  void table(std::string_view head);  // "[network]"
  void set(std::string_view key, const Document& value, std::string_view why);
  void set(std::string_view key, std::string_view value, std::string_view why) {
    set(key, Document(std::string(value)), why);
  }
  void set(std::string_view key, std::int64_t value, std::string_view why) { set(key, Document(value), why); }
  void set(std::string_view key, double value, std::string_view why) { set(key, Document(value), why); }
  // What the spec leaves out or does otherwise; what has the same reason is told together.
  void without(std::string_view what, std::string_view why);

  // What a user should know who reads no comments.
  void say(std::string text) { said_.push_back(std::move(text)); }
  const std::vector<std::string>& said() const { return said_; }

  bool empty() const { return lines_.empty(); }
  void append(const SpecText& tables) {
    lines_.insert(lines_.end(), tables.lines_.begin(), tables.lines_.end());
  }

  // Whether the text contains a name.
  bool mentions(std::string_view name) const;

  std::string text(std::string_view made_from) const;

 private:
  std::vector<std::pair<std::string, std::string>> lines_;    // with their comments
  std::vector<std::pair<std::string, std::string>> without_;  // and why
  std::vector<std::string> said_;
};

// The keys of [switch] for packets that wait at outputs only, in order, and are stored at every switch.
void set_output_queued(SpecText& spec, std::string_view why);

// [8, 8]
Document list_of(const std::vector<std::int64_t>& numbers);

}  // namespace headway::imports
