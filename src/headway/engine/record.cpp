// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/record.h"

#include <cstddef>

namespace headway {
namespace {

// Adds element by element; an empty list counts as zeros.
template <class T, class Add>
void add_each(std::vector<T>& to, const std::vector<T>& from, Add&& add) {
  if (to.size() < from.size()) to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) add(to[i], from[i]);
}

}  // namespace

void Record::add(const Record& other) {
  const auto sum = [](auto& to, const auto& from) { to += from; };
  const auto add = [](auto& to, const auto& from) { to.add(from); };
  add_counts<Occupancy>(*this, other);
  add_counts(counters, other.counters);
  disorder.pairs += other.disorder.pairs;
  disorder.most = std::max(disorder.most, other.disorder.most);
  latencies.add(other.latencies);
  add_each(flows, other.flows, add);
  add_each(classes, other.classes, add);
  trace_hash += other.trace_hash;
  add_each(bytes_to, other.bytes_to, sum);
  add_each(bytes_between, other.bytes_between, sum);
  add_each(marks_at, other.marks_at, sum);
  add_each(received, other.received, add_counts<Received>);
}

}  // namespace headway
