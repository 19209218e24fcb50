// SPDX-License-Identifier: Apache-2.0
// A spec that is written and read back is unchanged. Every field takes a random value of its range, set
// through the same description that reader and writer use.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "headway/base/rng.h"
#include "headway/config/parameters.h"
#include "headway/config/toml.h"
#include "headway/spec/read_spec.h"
#include "headway/spec/spec_fields.h"
#include "headway/spec/write_spec.h"

namespace headway {
namespace {

class Randomiser final : public ParameterVisitor<Randomiser, SpecFields> {
 public:
  explicit Randomiser(std::uint64_t seed) : rng_(seed, 0) {}

  void visit(const Parameter&, bool& value) { value = coin(); }
  void visit(const Parameter& p, std::int64_t& value) { value = whole(p); }
  void visit(const Parameter& p, double& value) { value = real(p); }
  void visit(const Parameter& p, std::string& value) {
    if (!p.choices.empty()) value = p.choices[below(p.choices.size())];
  }
  void visit(const Parameter&, InputFile&) {}
  void visit(const Parameter& p, Bytes& value) { value.count = whole(p); }
  void visit(const Parameter& p, Duration& value) {
    value.ns = fraction() + Rational(std::llround(p.bounds.at_least.value_or(0)));
  }
  void visit(const Parameter&, Rate& value) { value.bytes_per_ns = fraction(); }
  void visit(const Parameter& p, std::vector<std::int64_t>& value) {
    value.resize(below(4));
    for (std::int64_t& element : value) element = whole(p);
  }
  void visit(const Parameter& p, std::vector<double>& value) {
    value.resize(below(4));
    for (double& element : value) element = real(p);
  }
  void visit(const Parameter& p, std::vector<std::string>& value) {
    value.clear();
    for (const std::string_view choice : p.choices)
      if (coin()) value.emplace_back(choice);
  }
  template <class V>
  void visit(const Parameter& p, std::optional<V>& value) {
    value.reset();
    if (coin()) visit(p, value.emplace());
  }
  void visit(const Parameter&, std::optional<std::string>& value) {
    value.reset();
    if (coin()) value = "flow_of_" + std::to_string(below(1000));
  }
  void choice(const Parameter&, ChoiceField& choice) override {
    const auto names = choice.names();
    choice.choose(names[below(names.size())]);
    choice.describe(*this);
  }
  void table(const Parameter&, const Describe& describe) override { describe(*this); }
  void list(const Parameter&, const ListField& list) override {
    list.resize(1 + below(3));
    for (std::size_t i = 0; i < list.size(); ++i) list.describe(i, *this);
  }
  void visit(const Parameter&, NodeSet& sources) {
    using Kind = NodeSet::Kind;
    const auto kind = static_cast<Kind>(below(static_cast<std::uint64_t>(Kind::rest) + 1));
    sources = {kind, 1.0, 0, {}};
    if (kind == Kind::fraction || kind == Kind::random)
      sources.fraction = real({.name = "", .help = "", .bounds = Bounds::over(0, 1)});
    if (kind == Kind::first) sources.first = 1 + static_cast<std::int64_t>(below(100));
    if (kind == Kind::nodes) sources.nodes = {3, 1};
  }
  void load(const Parameter& p, std::vector<LoadSpec::Point>& points) override {
    points.clear();
    Rational at = coin() ? Rational(0) : fraction();
    for (std::uint64_t i = 0, size = 1 + below(4); i < size; ++i, at = at + fraction())
      points.push_back({Duration{at}, real(p)});
  }

 private:
  std::uint64_t below(std::uint64_t bound) { return rng_.next() % bound; }
  bool coin() { return below(2) == 1; }
  Rational fraction() {
    return {static_cast<std::int64_t>(1 + below(1000)), static_cast<std::int64_t>(1 + below(9))};
  }
  std::int64_t whole(const Parameter& p) {
    const auto low = static_cast<std::int64_t>(p.bounds.at_least.value_or(0));
    return low + static_cast<std::int64_t>(
                     below(static_cast<std::uint64_t>(p.bounds.at_most.value_or(1e6)) - low + 1));
  }
  double real(const Parameter& p) {
    const double low = p.bounds.at_least.value_or(p.bounds.above.value_or(0));
    return low + (p.bounds.at_most.value_or(2) - low) * static_cast<double>(1 + below(1 << 20)) * 0x1p-20;
  }

  Rng rng_;
};

RC_GTEST_PROP(Spec, SurvivesBeingWrittenAndRead, (std::uint64_t seed)) {
  Spec spec;
  Randomiser randomiser(seed);
  describe(spec, randomiser);

  const Document written = resolved(spec);
  const std::string text = write_toml(written);
  Mistakes mistakes;
  const Spec read = read_spec(parse_toml(text, "x"), mistakes).spec;
  if (!mistakes.empty()) RC_FAIL(std::string(SpecError(mistakes.list()).what()) + "\n" + text);
  RC_ASSERT(write_toml(resolved(read)) == text);
  RC_ASSERT(resolved(read) == written);
}

}  // namespace
}  // namespace headway
