// SPDX-License-Identifier: Apache-2.0
// Parts of the description of a spec (spec_fields.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headway/config/registry.h"
#include "headway/spec/spec_fields.h"

namespace headway {

template <class T>
class ChoiceOf final : public ChoiceField {
 public:
  ChoiceOf(Registry<T> registry, Choice<T>& choice) : registry_(registry), choice_(choice) {}
  std::string_view name() const override { return choice_.name; }
  std::vector<std::string_view> names() const override { return names_of(registry_); }
  std::vector<Member> members() const override {
    std::vector<Member> result;
    for (const Entry<T>& entry : registry_)
      result.push_back({entry.name, entry.help, entry.source,
                        [make = entry.make](Parameters& parameters) { make()->describe(parameters); }});
    return result;
  }
  void choose(std::string_view name) override { choice_ = headway::choose(registry_, name); }
  void describe(Parameters& parameters) override { choice_->describe(parameters); }

 private:
  Registry<T> registry_;
  Choice<T>& choice_;
};

template <class T>
void choice(SpecFields& fields, const Parameter& parameter, Registry<T> registry, Choice<T>& value) {
  ChoiceOf<T> field(registry, value);
  fields.choice(parameter, field);
}

void describe(SwitchSpec& switches, SpecFields& fields);
void describe(ClassSpec& of_spec, SpecFields& fields);
void describe(NodeSpec& node, SpecFields& fields);
void describe(JobSpec& job, SpecFields& fields);

// The keys that flows, traces and jobs share.
void describe_name(std::optional<std::string>& name, SpecFields& fields);
void describe_service_level(std::optional<std::int64_t>& level, SpecFields& fields);

}  // namespace headway
