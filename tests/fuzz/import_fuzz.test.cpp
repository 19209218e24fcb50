// SPDX-License-Identifier: Apache-2.0
// Short or long (HEADWAY_FUZZ=long) deterministic fuzzing of the readers of networks of other tools, with
// mutations of a valid file of every format, each read as what it seems to be and as what it was.
#include <gtest/gtest.h>

#include <iterator>
#include <string>

#include "headway/base/error.h"
#include "headway/base/rng.h"
#include "headway/config/document.h"
#include "headway/imports/import.h"
#include "tests/fuzz/in_children.h"
#include "tests/fuzz/mutate.h"
#include "tests/support/network_samples.h"

namespace headway {
namespace {

const test::NetworkSample& sample_of(std::uint64_t number) {
  return test::kNetworkSamples[number % std::size(test::kNetworkSamples)];
}

std::string mutated_network(std::uint64_t number) {
  Rng rng(3, number);
  std::string text(sample_of(number).text);
  test::mutate_text(text, rng);
  return text;
}

// Empty, or a mistake that has no place.
std::string import_outcome(const imports::Format& format, const std::string& text) {
  try {
    imports::import_from(format, {{{"in.txt", text}}, "my.toml"});
  } catch (const SpecError& error) {
    for (const Mistake& mistake : error.mistakes())
      if (mistake.where.empty()) return "a mistake without a place: " + mistake.message;
  }
  return "";
}

TEST(ImportFuzz, SurvivesMutationsOfNetworks) {
  const std::uint64_t cases = test::cases(600, 50'000);
  test::expect_none(
      test::run_in_children(cases,
                            [&](std::uint64_t number) {
                              const std::string text = mutated_network(number);
                              const std::string_view name = sample_of(number).format;
                              // The spec of a dump names the dump, which is in no file here.
                              if (name == "ibnetdiscover") return std::string();
                              std::string wrong = import_outcome(*imports::find_format(name), text);
                              if (!wrong.empty()) return wrong;
                              try {
                                const imports::Format& seems = imports::format_of({{"in.txt", text}});
                                if (seems.name != "ibnetdiscover") wrong = import_outcome(seems, text);
                              } catch (const SpecError&) {
                              }
                              return wrong;
                            }),
      [&](std::uint64_t number) { return to_text(Document(mutated_network(number))); });
}

}  // namespace
}  // namespace headway
