// SPDX-License-Identifier: Apache-2.0
// Failures that are not results: mistakes of the user, which are reported together before anything runs, and
// a violated invariant, which is a bug in Headway and stops the run.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headway {

// One mistake in a spec. `key` is its dotted path ("switch.queues", "traffic.flow[1].load"). Readers that
// know the position of the key in a file set `where` ("my.toml:3:1").
struct Mistake {
  std::string key;
  std::string message;  // what is wrong
  std::string hint;     // valid values, or the nearest name; can be empty
  std::string where;
  std::vector<std::string> valid = {};  // the valid names, if the value is a name
  std::string nearest = {};             // the valid name that the user probably meant; can be empty
};

// The message for a key that a table does not have.
inline constexpr std::string_view kUnknownKey = "unknown key";

// Collects mistakes so that all of them are reported at once.
class Mistakes {
 public:
  void add(std::string key, std::string message, std::string hint = "") {
    list_.push_back({std::move(key), std::move(message), std::move(hint), ""});
  }
  void add(Mistake mistake) { list_.push_back(std::move(mistake)); }
  // `outer` precedes their keys: "traffic.flow[0]."
  void add_all(const std::vector<Mistake>& list, std::string_view outer = "") {
    for (Mistake mistake : list) {
      mistake.key.insert(0, outer);
      add(std::move(mistake));
    }
  }
  bool empty() const { return list_.empty(); }
  const std::vector<Mistake>& list() const { return list_; }
  std::vector<Mistake>& list() { return list_; }
  void throw_if_any() const;  // as a SpecError

 private:
  std::vector<Mistake> list_;
};

// Mistakes of the user. what() contains one line per mistake, with names made visible: "where: key: message;
// hint".
class SpecError : public std::runtime_error {
 public:
  explicit SpecError(std::vector<Mistake> mistakes);
  // A single mistake.
  SpecError(std::string key, std::string message, std::string hint = "", std::string where = "")
      : SpecError({{std::move(key), std::move(message), std::move(hint), std::move(where)}}) {}
  const std::vector<Mistake>& mistakes() const { return mistakes_; }

 private:
  std::vector<Mistake> mistakes_;
};

// A violated invariant of the simulator, with a dump of the state.
class InvariantError : public std::logic_error {
  using std::logic_error::logic_error;
};

}  // namespace headway
