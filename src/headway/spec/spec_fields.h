// SPDX-License-Identifier: Apache-2.0
// The description of a Spec: defines all keys of a spec file with help and range in one place. The reader,
// the writer of resolved specs and `headway explain` visit it. Families add the parameters of the chosen
// member.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/config/document.h"
#include "headway/config/parameters.h"
#include "headway/spec/spec.h"

namespace headway {

// The choice of a member of a family, independent of the type of the family.
class ChoiceField {
 public:
  struct Member {
    std::string_view name;
    std::string_view help;
    std::string_view source;
    std::function<void(Parameters&)> describe;  // visits its parameters with default values
  };

  virtual ~ChoiceField() = default;
  virtual std::string_view name() const = 0;                // of the chosen member
  virtual std::vector<std::string_view> names() const = 0;  // of all members
  virtual std::vector<Member> members() const = 0;
  virtual void choose(std::string_view name) = 0;     // one of names(), with default parameters
  virtual void describe(Parameters& parameters) = 0;  // of the chosen member
};

// A list of tables, such as the flows.
struct ListField {
  std::function<std::size_t()> size;
  std::function<void(std::size_t)> resize;
  std::function<void(std::size_t, class SpecFields&)> describe;
};

// A set of nodes as written: "all", or a table with one of these.
struct NodeSetKeys {
  std::optional<double> fraction;
  std::optional<std::int64_t> first;
  std::vector<std::int64_t> nodes;
  std::optional<double> random;
  bool rest = false;

  void describe(Parameters& parameters);
};

// Visitor for a spec, which has more than plain parameters.
class SpecFields : public Parameters {
 public:
  using Describe = std::function<void(SpecFields&)>;
  // The parameters of the chosen member are in the same table as the key that chooses it.
  virtual void choice(const Parameter& parameter, ChoiceField& choice) = 0;
  virtual void table(const Parameter& parameter, const Describe& describe) = 0;
  virtual void list(const Parameter& parameter, const ListField& list) = 0;
  virtual void load(const Parameter& parameter, std::vector<LoadSpec::Point>& points) = 0;
};

// A visitor of all parameters that knows their paths: "traffic.flow[1].message".
template <class Derived>
class PathVisitor : public ParameterVisitor<Derived, SpecFields> {
 public:
  using Describe = SpecFields::Describe;
  void choice(const Parameter&, ChoiceField& choice) override { choice.describe(*this); }
  void table(const Parameter& parameter, const Describe& describe) override {
    within(path(parameter), describe);
  }
  void list(const Parameter& parameter, const ListField& list) override {
    for (std::size_t i = 0; i < list.size(); ++i)
      within(path(parameter) + '[' + std::to_string(i) + ']',
             [&](SpecFields& fields) { list.describe(i, fields); });
  }
  void load(const Parameter&, std::vector<LoadSpec::Point>&) override {}

 protected:
  std::string path(const Parameter& parameter) const { return outer_ + std::string(parameter.name); }
  void within(const std::string& table, const Describe& describe) {
    const std::string before = std::exchange(outer_, table + '.');
    describe(*this);
    outer_ = before;
  }

 private:
  std::string outer_;  // with the last dot
};

void describe(Spec& spec, SpecFields& fields);

// The described parameters as a table (write_spec.cpp).
Document written_by(const SpecFields::Describe& describe);

// The other keys of a spec file; [sweep] is read in load.h.
void describe_seeds(std::int64_t& seeds, Parameters& parameters);

}  // namespace headway
