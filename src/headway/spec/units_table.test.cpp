// SPDX-License-Identifier: Apache-2.0
#include "headway/spec/units_table.h"

#include <gtest/gtest.h>

#include "headway/compile/load.h"
#include "headway/config/toml.h"

namespace headway {
namespace {

TEST(Units, CyclesAndFlitsAreReplacedExactly) {
  Document document = parse_toml(R"(
    [units]
    cycle = "2500 ps"
    flit = "4 B"
    [network]
    link = { rate = "1 flit/cycle", delay = "8 cycles" }
    [traffic]
    packet = "256 flits"
    [sweep]
    "switch.routing_delay" = ["1 cycle", "20 cycles", "3 ns"]
  )",
                                 "x");
  Mistakes mistakes;
  replace_units(document, mistakes);
  EXPECT_TRUE(mistakes.empty());
  EXPECT_EQ(document.member("units"), nullptr);
  const Document expected = parse_toml(R"(
    [network]
    link = { rate = "1.6 GB/s", delay = "20 ns" }
    [traffic]
    packet = "1 KiB"
    [sweep]
    "switch.routing_delay" = ["2.5 ns", "50 ns", "3 ns"]
  )",
                                       "x");
  EXPECT_EQ(to_text(document), to_text(expected));
}

TEST(Units, WithoutTheTableThereAreNoCycles) {
  Document document = parse_toml("[switch]\nrouting_delay = \"20 cycles\"\n", "x");
  EXPECT_THROW(load_experiment(document), SpecError);
}

TEST(Units, MistakesInTheTableAreSaid) {
  Document document = parse_toml("[units]\ncycle = \"5\"\nflits = \"1 B\"\n", "x");
  Mistakes mistakes;
  replace_units(document, mistakes);
  EXPECT_EQ(mistakes.list().size(), 2U);
}

std::string mistakes_of_units(std::string_view text) {
  try {
    load_experiment(parse_toml(text, "x"));
  } catch (const SpecError& error) {
    return error.what();
  }
  return "";
}

TEST(Units, WhatIsNoTableIsRefusedWithItsPlace) {
  EXPECT_EQ(mistakes_of_units("units = 3\n"),
            "x:1:9: units: must be a table, not 3; write [units] and below it cycle = \"10 ns\" or flit = "
            "\"8 B\"");
}

TEST(Units, WhatIsTooLargeIsRefusedWithItsPlace) {
  EXPECT_EQ(mistakes_of_units("units.cycle = \"9223372036854775807 ns\"\n"
                              "measure.warmup = \"20 cycles\"\n[sweep]\nseed = [1, 2]\n"),
            "x:1:15: units.cycle: \"9223372036854775807 ns\" is out of range; above 0 ns, at most 4000000 s");
  EXPECT_EQ(mistakes_of_units("units.cycle = \"4000000 s\"\nmeasure.warmup = \"3000 cycles\"\n"),
            "x:2:18: measure.warmup: \"3000 cycles\" is too large to compute with exactly: a cycle is "
            "4000000 s, a flit 1 B");
}

}  // namespace
}  // namespace headway
