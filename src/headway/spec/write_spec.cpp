// SPDX-License-Identifier: Apache-2.0
#include "headway/spec/write_spec.h"

#include <utility>

#include "headway/base/input_file.h"
#include "headway/config/parameters.h"
#include "headway/spec/spec_fields.h"

namespace headway {
namespace {

Document value_of(bool value) { return Document(value); }
Document value_of(std::int64_t value) { return Document(value); }
Document value_of(double value) { return Document(value); }
Document value_of(const std::string& value) { return Document(value); }
Document value_of(const InputFile& value) { return Document(value.path()); }
template <class Element>
Document value_of(const std::vector<Element>& value) {
  Document::Array elements;
  for (const Element& element : value) elements.push_back(value_of(element));
  return Document(std::move(elements));
}
Document value_of(const NodeSet& set) {
  using Kind = NodeSet::Kind;
  const auto only = [](std::string name, Document value) {
    return Document(Document::Table{{std::move(name), "", std::move(value)}});
  };
  switch (set.kind) {
    case Kind::all:
      return Document(std::string("all"));
    case Kind::fraction:
      return only("fraction", value_of(set.fraction));
    case Kind::first:
      return only("first", value_of(set.first));
    case Kind::nodes:
      return only("nodes", value_of(set.nodes));
    case Kind::random:
      return only("random", value_of(set.fraction));
    case Kind::rest:
      return only("rest", value_of(true));
  }
  return {};
}
template <class Quantity>
Document value_of(const Quantity& value) {
  return Document(to_string(value));
}

class Writer final : public ParameterVisitor<Writer, SpecFields> {
 public:
  Writer() { table_written.reserve(16); }

  Document::Table table_written;

  template <class V>
  void visit(const Parameter& parameter, const V& value) {
    add(parameter, value_of(value));
  }
  template <class V>
  void visit(const Parameter& parameter, const std::optional<V>& value) {
    if (value) add(parameter, value_of(*value));
  }
  void choice(const Parameter& parameter, ChoiceField& choice) override {
    add(parameter, Document(std::string(choice.name())));
    choice.describe(*this);
  }
  void table(const Parameter& parameter, const Describe& describe) override {
    add(parameter, written(describe));
  }
  void list(const Parameter& parameter, const ListField& list) override {
    if (list.size() == 0) return;
    Document::Array elements;
    for (std::size_t i = 0; i < list.size(); ++i)
      elements.push_back(written([&](SpecFields& fields) { list.describe(i, fields); }));
    add(parameter, Document(std::move(elements)));
  }
  void load(const Parameter& parameter, std::vector<LoadSpec::Point>& points) override {
    if (points.size() == 1 && points.front().at == Duration{0})
      return add(parameter, value_of(points.front().load));
    Document::Array pairs;
    for (const LoadSpec::Point& point : points)
      pairs.push_back(Document(Document::Array{value_of(point.at), value_of(point.load)}));
    add(parameter, Document(std::move(pairs)));
  }

 private:
  static Document written(const Describe& describe) {
    Writer writer;
    describe(writer);
    return Document(std::move(writer.table_written));
  }
  void add(const Parameter& parameter, Document value) {
    table_written.push_back({std::string(parameter.name), "", std::move(value)});
  }
};

}  // namespace

Document resolved(const Spec& spec) {
  Spec copy = spec;  // describe needs a mutable spec
  Writer writer;
  describe(copy, writer);
  return Document(std::move(writer.table_written));
}

Document written_seeds(std::int64_t seeds, const std::optional<SeedsUntil>& until) {
  if (!until) return Document(seeds);
  return Document(Document::Table{{"until", "", Document(until->metric)},
                                  {"relative", "", Document(until->relative)},
                                  {"at_least", "", Document(until->at_least)},
                                  {"at_most", "", Document(until->at_most)}});
}

}  // namespace headway
