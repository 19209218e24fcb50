// SPDX-License-Identifier: Apache-2.0
// The ends of the range of every key, and pairs of them: each spec is an experiment or has mistakes
// with places, and runs if the run is short. A case that hangs is ended by the limits of run_in_children.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "headway/base/rng.h"
#include "headway/catalogue/names.h"
#include "headway/config/toml.h"
#include "test_paths.h"
#include "tests/fuzz/corpus.h"
#include "tests/fuzz/in_children.h"
#include "tests/fuzz/spec_fuzz.h"
#include "tests/support/sanitizer.h"

namespace headway::test {
namespace {

constexpr std::string_view kEventDrivenSpec = R"(
network = { topology = "single-switch", nodes = 4 }
measure = { warmup = "1 us", duration = "10 us" }
traffic.flow = [{ load = 0.5 }]
)";
constexpr std::string_view kSlottedSpec = R"(
kernel = "slotted"
network = { topology = "omega", nodes = 8 }
)";

struct End {
  std::string key;
  std::string value;    // as in a file
  std::string chooses;  // "switch.scheme = fbicm", empty
};

// "at least 0 ns" gives "0 ns"; "above 0 ns" gives a value slightly above.
std::string value_at(const std::string& words, const std::string& bound, const std::string& type) {
  if (words != "above") return bound;
  if (type == "a time") return "0.001 ns";
  if (type == "a rate") return "0.000000001 GB/s";
  return fmt::format("{}", std::stod(bound) + 1e-9);
}

std::vector<End> range_ends() {
  static const std::regex kBound("(at least|at most|above) ([^,;]+)");
  std::vector<End> ends;
  for (const catalogue::Key& key : catalogue::keys()) {
    const std::string& valid = key.row.valid;
    std::string chooses = key.only_with.substr(0, key.only_with.find(" or "));
    for (auto bound = std::sregex_iterator(valid.begin(), valid.end(), kBound);
         bound != std::sregex_iterator(); ++bound) {
      const std::string type(key.row.type);
      std::string value = value_at((*bound)[1], (*bound)[2], type);
      if (type == "a time" || type == "a size" || type == "a rate") value = fmt::format("\"{}\"", value);
      if (type.starts_with("a list")) value = fmt::format("[{}]", value);
      ends.push_back({key.path, std::move(value), chooses});
    }
  }
  return ends;
}

class RangeEnds : public testing::Test {
 protected:
  RangeEnds() {  // with the files that specs name
    for (const SeedFile& file : seed_files()) write_bytes(folder_ / file.name, file.text);
  }

  static Override setting(const std::string& key, const std::string& value) {
    return {key, parse_toml_value(value, "--set")};
  }
  static void add(const End& end, std::vector<Override>& overrides) {
    if (const std::size_t equals = end.chooses.find(" = ");
        equals != std::string::npos && !end.chooses.starts_with("kernel"))
      overrides.push_back(
          setting(end.chooses.substr(0, equals), fmt::format("\"{}\"", end.chooses.substr(equals + 3))));
    overrides.push_back(setting(end.key, end.value));
  }
  static bool is_slotted(const End& end) { return end.chooses.starts_with("kernel"); }
  // A run of many ticks takes long even if nothing happens in them.
  static bool is_short(const std::vector<Override>& overrides) {
    return std::ranges::none_of(overrides, [](const Override& change) {
      const auto* const text = change.value.get<std::string>();
      return text != nullptr && text->ends_with(" s");
    });
  }

  std::string fault_of_case(const std::vector<End>& ends) const {
    std::vector<Override> overrides;
    bool slotted = false;
    for (const End& end : ends) {
      slotted |= is_slotted(end);
      add(end, overrides);
    }
    const std::string_view text = slotted ? kSlottedSpec : kEventDrivenSpec;
    const std::string name = (folder_ / "spec.toml").string();
    is_short(overrides) ? checks_and_runs(text, name, overrides, 0) : checks(text, name, overrides);
    return "";
  }
  static std::string text_of(const std::vector<End>& ends) {
    std::string text;
    for (const End& end : ends) text += fmt::format(" --set '{}={}' ({})", end.key, end.value, end.chooses);
    return text;
  }
  void expect_no_faults(std::uint64_t number,
                        const std::function<std::vector<End>(std::uint64_t)>& of_case) const {
    expect_none(run_in_children(number, [&](std::uint64_t i) { return fault_of_case(of_case(i)); }),
                [&](std::uint64_t i) { return text_of(of_case(i)); });
  }

  const TemporaryFolder temporary_;
  const std::filesystem::path folder_ = temporary_.path();
  std::vector<End> ends_ = range_ends();
};

// Shortest paths for each pair of the 8192 switches of the largest slim fly take minutes to compute, and the
// largest mesh takes gigabytes.
bool is_huge(const End& end) { return end.key == "network.q" || end.key == "network.sides"; }

TEST_F(RangeEnds, OfEveryKeyAreChecked) {
  std::erase_if(ends_, is_huge);
  ASSERT_GT(ends_.size(), 200U);
  expect_no_faults(ends_.size(), [&](std::uint64_t i) { return std::vector{ends_[i]}; });
}

TEST_F(RangeEnds, OfPairsOfKeysAreChecked) {
  std::erase_if(ends_, is_huge);
  expect_no_faults(cases(300, 20'000), [&](std::uint64_t i) {
    Rng rng(35, i);
    const auto any = [&] { return ends_[rng.below(static_cast<std::uint32_t>(ends_.size()))]; };
    return std::vector{any(), any()};
  });
}

// A quantity without a limit has no end in its range, and grows until something overflows.
TEST_F(RangeEnds, EveryQuantityHasALimit) {
  for (const catalogue::Key& key : catalogue::keys()) {
    const std::string type(key.row.type);
    const bool is_quantity = type == "a time" || type == "a size" || type == "a rate" ||
                             type == "a whole number" || type == "a number" ||
                             type == "a list of whole numbers" || type == "a list of numbers";
    if (!is_quantity) continue;
    EXPECT_NE(key.row.valid.find("at most"), std::string::npos) << key.path << " (" << key.only_with << ')';
  }
}

}  // namespace
}  // namespace headway::test
