// SPDX-License-Identifier: Apache-2.0
// What tests of relations share. A relation holds between the results of two specs whatever the model is: it
// needs no expected numbers, so it can be tested over random specs of all families.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "headway/config/document.h"
#include "headway/metrics/result.h"
#include "headway/spec/spec.h"

namespace headway::test {

// Calls test(number) for some dozens of numbers, or for as many as the environment variable HEADWAY_RELATIONS
// says. A test returns false if the relation says nothing about the spec with this number. At least one spec
// in twenty must be tested.
void for_each_number(std::uint64_t usual, const std::function<bool(std::uint64_t)>& test);

// A random spec (support/random_spec.h) with a short window of 16 bins and the tables of destinations, pairs
// and links. All its times are multiples of its bin or of shorter times of the network, so that other windows
// of whole bins leave the tick as it is.
EventSpec related_spec(std::uint64_t number);
inline constexpr std::int64_t kWarmup = 200, kBin = 100, kBins = 16;  // ns

// The same, but its sources stop at 300 ns, and its messages consist of full packets.
EventSpec drained_spec(std::uint64_t number);

bool is_valid(const EventSpec& spec);

// The result of a spec file with this content, and of a spec by way of its file.
Result result_of(const Document& document);
Result result_of(const EventSpec& spec);

// Changes all texts that are a duration, a rate or a size.
struct Quantities {
  std::function<std::string(const Duration&)> duration;
  std::function<std::string(const Rate&)> rate;
  std::function<std::string(const Bytes&)> bytes;
};
Document with_quantities(Document document, const Quantities& quantities);

struct Differences {
  double time = 1;                         // factor between the times of the results
  double tolerance = 0;                    // relative, of every number
  std::string_view summed_otherwise = {};  // a number with the same terms, added in another order
  bool all_metrics = true;  // false: not those that depend on the memory of the network, such as its cost
};
// The first number in which the second result differs from the first, among those that both have; empty if
// there is none. Deliveries are compared by their hash, to the tick.
std::string difference(const Result& first, const Result& second, const Differences& allowed = {});

}  // namespace headway::test
