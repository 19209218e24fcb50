// SPDX-License-Identifier: Apache-2.0
#include "headway/compile/notes.h"

#include <gmock/gmock.h>

#include "headway/config/assign.h"

namespace headway {
namespace {

using ::testing::HasSubstr;

EventSpec with_messages(std::int64_t bytes) {
  EventSpec spec;
  spec.traffic.packet = Bytes{4096};
  spec.traffic.flows[0].sizes = choose(message_sizes(), "fixed", {{"message", Bytes{bytes}}});
  return spec;
}

TEST(SlotFill, NamesTheFlowWhosePacketsAreShort) {
  EventSpec spec = with_messages(4096);
  EXPECT_EQ(note_of_short_packets(spec, true), "");
  spec.traffic.flows.push_back(with_messages(1024).traffic.flows[0]);
  const std::string note = note_of_short_packets(spec, true);
  EXPECT_THAT(note, HasSubstr("a slot of 4 KiB"));
  EXPECT_THAT(note, HasSubstr("the packets of flow 1 fill 25 % of their slots"));
  spec.switches.cell = Bytes{64};
  EXPECT_EQ(note_of_short_packets(spec, true), "");
}

// A message of 9 KiB has two full packets and a quarter of one.
TEST(SlotFill, LooksAtTheMeanOverAllPackets) {
  EXPECT_EQ(note_of_short_packets(with_messages(9216), true), "");
  EXPECT_EQ(note_of_short_packets(with_messages(2048), true), "");
  EXPECT_NE(note_of_short_packets(with_messages(2047), true), "");
}

}  // namespace
}  // namespace headway
