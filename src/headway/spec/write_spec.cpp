// SPDX-License-Identifier: Apache-2.0
#include "headway/spec/write_spec.h"

#include <utility>

#include "headway/config/parameter_values.h"
#include "headway/spec/spec_fields.h"

namespace headway {
namespace {

class Writer final : public ParameterVisitor<Writer, SpecFields> {
 public:
  Writer() { table_written.reserve(16); }

  Document::Table table_written;

  template <class V>
  void visit(const Parameter& parameter, const V& value) {
    add(parameter, written_value(value));
  }
  template <class V>
  void visit(const Parameter& parameter, const std::optional<V>& value) {
    if (value) add(parameter, written_value(*value));
  }
  void choice(const Parameter& parameter, ChoiceField& choice) override {
    add(parameter, Document(std::string(choice.name())));
    choice.describe(*this);
  }
  void table(const Parameter& parameter, const Describe& describe) override {
    add(parameter, written_by(describe));
  }
  void list(const Parameter& parameter, const ListField& list) override {
    if (list.size() == 0) return;
    Document::Array elements;
    for (std::size_t i = 0; i < list.size(); ++i)
      elements.push_back(written_by([&](SpecFields& fields) { list.describe(i, fields); }));
    add(parameter, Document(std::move(elements)));
  }
  void load(const Parameter& parameter, std::vector<LoadSpec::Point>& points) override {
    if (points.size() == 1 && points.front().at == Duration{0})
      return add(parameter, written_value(points.front().load));
    Document::Array pairs;
    for (const LoadSpec::Point& point : points)
      pairs.push_back(Document(Document::Array{written_value(point.at), written_value(point.load)}));
    add(parameter, Document(std::move(pairs)));
  }

 private:
  void add(const Parameter& parameter, Document value) {
    table_written.push_back({std::string(parameter.name), "", std::move(value)});
  }
};

}  // namespace

Document resolved(const Spec& spec) {
  Spec copy = spec;  // describe needs a mutable spec
  return written_by([&](SpecFields& fields) { describe(copy, fields); });
}

Document written_by(const SpecFields::Describe& describe) {
  Writer writer;
  describe(writer);
  return Document(std::move(writer.table_written));
}

Document written_seeds(std::int64_t seeds, std::optional<SeedsUntil> until) {
  if (!until) return Document(seeds);
  return written_by([&](SpecFields& fields) { until->describe(fields); });
}

}  // namespace headway
