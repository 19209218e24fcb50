// SPDX-License-Identifier: Apache-2.0
// Flow files of the HPCC simulator and its descendants: the number of flows, then per line source,
// destination, priority group, destination port, bytes and start in seconds. Choices: times count from the
// earliest flow, as those of traces do; priority group and port have no effect; there are as many ranks as
// the largest node needs.
#include <fmt/format.h>

#include <algorithm>

#include "headway/program_files/clocks.h"
#include "headway/programs/file_program.h"
#include "headway/trace/record.h"
#include "headway/trace/text.h"

namespace headway {
namespace {

struct HpccFlow {
  std::uint64_t start, bytes;  // start in picoseconds
  std::uint32_t source, destination, line;
};

class Hpcc final : public FileProgram {
 public:
  bool recognises(std::string_view beginning) const override {
    Words words(beginning.substr(0, std::min(beginning.find_first_of("\r\n"), beginning.size())));
    try {
      words.number("");
    } catch (const WrongLine&) {
      return false;
    }
    return words.at_end() && beginning.find('\n') != std::string_view::npos;
  }

  void read(ProgramText& text, ProgramBuilder& builder, bool only_ranks) const override {
    if (only_ranks) return;
    std::optional<std::uint64_t> announced;
    std::vector<HpccFlow> flows;
    while (text.next()) {
      if (Words(text.line()).at_end()) continue;
      const auto read_line = [&] {
        Words words(text.line());
        if (announced) {
          flows.push_back(read_flow(words, text.number()));
          builder.have_at_least(std::max(flows.back().source, flows.back().destination) + 1);
        } else {
          announced = words.number("the number of flows");
          if (!words.at_end()) throw WrongLine{words.rest(), "the first line has the number of flows only"};
        }
      };
      if (!text.attempt(read_line) && !announced) return;
    }
    if (text.any_wrong()) return;
    if (flows.empty()) return text.report_at(0, {{}, "the file has no flow"});
    if (*announced != flows.size())
      return text.report_at(1, {{},
                                fmt::format("the first line announces {} flows, but the file has {}",
                                            *announced, flows.size())});

    std::ranges::stable_sort(flows, {}, &HpccFlow::start);
    const std::uint64_t first = flows.front().start;
    Clocks clocks(builder);
    for (const HpccFlow& flow : flows) {
      const std::uint32_t start = clocks.at(flow.source, flow.start - first, flow.line);
      const std::uint32_t send = builder.send(flow.source, flow.destination, flow.bytes, 0, 0, flow.line);
      if (start != kNone) builder.require(flow.source, send, start);
      builder.receive(flow.destination, flow.source, flow.bytes, 0, 0, flow.line);
    }
  }

 private:
  static std::uint32_t node(Words& words, std::string_view what) {
    return static_cast<std::uint32_t>(words.number(what, limits::kRanks - 1));
  }

  static HpccFlow read_flow(Words& words, std::uint32_t number) {
    HpccFlow flow{};
    flow.line = number;
    flow.source = node(words, "the source");
    flow.destination = node(words, "the destination");
    words.number("the priority group", UINT32_MAX);
    words.number("the destination port", UINT32_MAX);
    flow.bytes = words.number("the size", static_cast<std::uint64_t>(limits::kBytes));
    if (words.at_end()) throw WrongLine{words.rest(), "the start, in seconds, is missing"};
    const std::string_view text = words.piece();
    const auto start = decimal_number(text, kSecond);
    if (!start || *start > kMostTraceTime)
      throw WrongLine{text, fmt::format("the start, \"{}\", is no time", text.substr(0, 40)),
                      "seconds, at most 46 days"};
    flow.start = static_cast<std::uint64_t>(*start);
    words.expect_end("flow", "source destination group port bytes start");
    return flow;
  }
};

}  // namespace

Entry<ProgramKind> hpcc() {
  return {"hpcc", "flows with sizes and start times from a flow file of the HPCC simulator",
          "Li et al., SIGCOMM 2019", make_entry<ProgramKind, Hpcc>};
}

}  // namespace headway
