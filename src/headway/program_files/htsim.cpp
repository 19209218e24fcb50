// SPDX-License-Identifier: Apache-2.0
// Connection matrices of htsim (.cm), whose flows start at a time or when triggers fire, as a program with
// one rank per node. Choices:
//
//   - Starts are on a clock (clocks.h).
//   - send_done is the completion of the send: its last byte has left. htsim waits for the acknowledgement.
//   - A trigger acts on all nodes at once in htsim. Here, a message of 1 byte with tag 1 tells the source of
//     a flow, unless the trigger was activated at this source. A barrier is counted at the source of its
//     first flow.
//   - The activations of a multishot trigger count in the order of the file, not of time.
//   - Priorities have no effect, and failures belong to the network.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "headway/program_files/clocks.h"
#include "headway/programs/file_program.h"
#include "headway/trace/record.h"
#include "headway/trace/text.h"

namespace headway {
namespace {

struct HtsimEvent {  // the end of an operation
  std::uint32_t rank, op;
};

struct HtsimFlow {
  std::uint32_t source = 0, destination = 0, line = 0;
  std::uint32_t id = 0, trigger = 0, send_done = 0, recv_done = 0;  // 0: none
  std::optional<std::uint64_t> start;                               // picoseconds
  std::optional<std::uint64_t> bytes;
  HtsimEvent sent{}, received{};
};

struct HtsimTrigger {
  std::string_view kind;  // of kTriggerKeys; empty: not defined
  std::uint32_t line = 0;
  std::optional<std::uint64_t> count;
  std::vector<HtsimFlow*> flows;  // that it starts
  std::vector<HtsimEvent> activations;
};

class HtsimReader {
 public:
  HtsimReader(ProgramText& text, ProgramBuilder& builder) : text_(text), builder_(builder) {}

  void read(bool only_ranks) {
    while (!(only_ranks && nodes_) && text_.next())
      if (!text_.attempt([&] { read_line(text_.line().substr(0, text_.line().find('#'))); }) && !nodes_)
        return;
    if (!nodes_ && !text_.any_wrong())
      text_.report_at(0, {{}, "the file does not say how many nodes there are", "begin with \"Nodes 16\""});
    if (only_ranks || text_.any_wrong()) return;
    check();
    if (!text_.any_wrong()) translate();
  }

 private:
  static constexpr std::string_view kHeader[] = {"Nodes", "Connections", "Triggers", "Failures"};
  static constexpr std::string_view kFlowKeys[] = {
      "id", "start", "trigger", "size", "send_done_trigger", "recv_done_trigger", "prio"};
  static constexpr std::string_view kTriggerKeys[] = {"id", "oneshot", "multishot", "barrier", "count"};
  static constexpr std::uint32_t kSignalTag = 1;

  void read_line(std::string_view line) {
    Words words(line);
    if (words.at_end()) return;
    const std::string_view here = words.rest();
    if (words.next() >= '0' && words.next() <= '9') return read_flow(words);
    const std::string_view word = words.word();
    if (word == "trigger") return read_trigger(words);
    if (word == "failure")
      throw WrongLine{word, "a program has no failures", "write them in the spec, in network.failures"};
    const auto found = std::ranges::find(kHeader, word);
    if (found == std::end(kHeader)) {
      static constexpr std::string_view kFirst[] = {"Nodes", "Connections", "Triggers", "Failures",
                                                    "trigger"};
      throw WrongLine{here, fmt::format("a line cannot begin so: {}", found_text(here)),
                      word.empty() ? "write a flow as \"0->1 start 0 size 4096\"" : hint_of(word, kFirst)};
    }
    const std::uint64_t value = words.number(word, limits::kRanks - 1);
    words.expect_end();
    auto& count = counts_[static_cast<std::size_t>(found - std::begin(kHeader))];
    if (count) throw WrongLine{here, fmt::format("{} is given twice", word)};
    count = value;
    if (word != "Nodes") return;
    if (value == 0) throw WrongLine{here, "there is at least one node"};
    nodes_ = static_cast<std::uint32_t>(value);
    builder_.have_at_least(*nodes_);
  }

  std::uint32_t node(Words& words, std::string_view what) const {
    const std::string_view at = words.rest();
    if (!nodes_) throw WrongLine{at, "Nodes must come before the first flow", "begin with \"Nodes 16\""};
    const std::uint64_t node = words.number(what);
    if (node >= *nodes_)
      throw WrongLine{at, fmt::format("there is no node {}", node), fmt::format("0 to {}", *nodes_ - 1)};
    return static_cast<std::uint32_t>(node);
  }

  void read_flow(Words& words) {
    HtsimFlow flow;
    flow.line = text_.number();
    flow.source = node(words, "the source");
    if (!words.take("->")) throw WrongLine{words.rest(), "\"->\" is missing behind the source"};
    flow.destination = node(words, "the destination");
    std::set<std::string_view> seen;
    while (!words.at_end()) {
      const std::string_view here = words.rest(), key = words.one_of(kFlowKeys, "a flow has no such key: ");
      if (!seen.insert(key).second) throw WrongLine{here, fmt::format("{} is given twice", key)};
      const std::string_view at = words.rest();
      if (key == "start") {
        const auto start = decimal_number(words.piece(), kPicosecond);
        if (!start || *start > kMostTraceTime)
          throw WrongLine{at, "the start is no time", "picoseconds, at most 46 days"};
        flow.start = static_cast<std::uint64_t>(*start);
      } else if (key == "size") {
        flow.bytes = words.number("the size", static_cast<std::uint64_t>(limits::kBytes));
        if (flow.bytes == 0)
          throw WrongLine{at, "a flow of size 0 has no end in htsim, and cannot be a message"};
      } else {
        const auto value = static_cast<std::uint32_t>(words.number(key, UINT32_MAX));
        if (value == 0 && key != "prio")
          throw WrongLine{at, fmt::format("{} 0 is not allowed", key), "from 1"};
        if (key == "id") flow.id = value;
        if (key == "trigger") flow.trigger = value;
        if (key == "send_done_trigger") flow.send_done = value;
        if (key == "recv_done_trigger") flow.recv_done = value;
      }
    }
    if (!flow.bytes) throw WrongLine{words.rest(), "the flow has no size", "write for example \"size 4096\""};
    if (flow.start.has_value() == (flow.trigger != 0))
      throw WrongLine{{},
                      flow.trigger != 0 ? "the flow has a start and a trigger" : "nothing starts the flow",
                      "a flow has either a start or a trigger"};
    if (flow.trigger != 0 && flow.id == 0)
      throw WrongLine{{}, "a flow with a trigger needs an id", "write for example \"id 1\""};
    if (flow.id != 0)
      if (const auto [other, added] = line_of_id_.emplace(flow.id, flow.line); !added)
        throw WrongLine{{},
                        fmt::format("there is another flow with id {}", flow.id),
                        fmt::format("see line {}", other->second)};
    flows_.push_back(flow);
  }

  void read_trigger(Words& words) {
    HtsimTrigger trigger;
    trigger.line = text_.number();
    std::uint32_t id = 0;
    while (!words.at_end()) {
      const std::string_view here = words.rest();
      const std::string_view key = words.one_of(kTriggerKeys, "a trigger has no such key: ");
      if (key == "id") {
        id = static_cast<std::uint32_t>(words.number("the id", UINT32_MAX));
      } else if (key == "count") {
        trigger.count = words.number("the count", UINT32_MAX);
      } else {
        if (!trigger.kind.empty()) throw WrongLine{here, "a trigger has one kind"};
        trigger.kind = key;
      }
    }
    if (id == 0) throw WrongLine{words.rest(), "a trigger needs an id from 1"};
    if (trigger.kind.empty())
      throw WrongLine{words.rest(), "a trigger needs a kind", "oneshot, multishot or barrier"};
    if (trigger.count && trigger.kind != "barrier")
      throw WrongLine{words.rest(), "only a barrier has a count"};
    const auto [other, added] = triggers_.emplace(id, trigger);
    if (!added)
      throw WrongLine{{},
                      fmt::format("there is another trigger with id {}", id),
                      fmt::format("see line {}", other->second.line)};
  }

  void report(std::uint32_t line, std::string message, std::string hint = "") {
    text_.report_at(line, {{}, std::move(message), std::move(hint)});
  }

  void check() {
    const std::uint64_t seen[] = {*nodes_, flows_.size(), triggers_.size(), 0};
    for (const std::size_t i : {1U, 2U, 3U})
      if (const std::uint64_t announced = counts_[i].value_or(i == 1 ? UINT64_MAX : 0);
          announced != seen[i]) {
        if (announced == UINT64_MAX)
          report(0, "the header has no number of connections",
                 fmt::format("write \"Connections {}\"", seen[i]));
        else
          report(0, fmt::format("the header announces {} {}, but the file has {}", announced, kHeader[i],
                                seen[i]));
      }
    for (HtsimFlow& flow : flows_)
      for (const std::uint32_t id : {flow.trigger, flow.send_done, flow.recv_done})
        if (id != 0 && !triggers_.contains(id))
          report(flow.line, fmt::format("there is no trigger {}", id),
                 "define it with \"trigger id N oneshot\"");
    if (text_.any_wrong()) return;
    std::map<std::uint32_t, std::uint64_t> activations, starts;
    for (const HtsimFlow& flow : flows_) {
      ++starts[flow.trigger];
      ++activations[flow.send_done];
      ++activations[flow.recv_done];
    }
    for (const auto& [id, trigger] : triggers_) check(trigger, id, activations[id], starts[id]);
  }

  void check(const HtsimTrigger& trigger, std::uint32_t id, std::uint64_t activations, std::uint64_t starts) {
    const std::string activated = fmt::format("trigger {} is activated by {} flows", id, activations);
    if (trigger.kind == "oneshot" && activations > 1)
      report(trigger.line, activated, "a oneshot trigger is activated once");
    if (trigger.kind == "barrier" && trigger.count.value_or(activations) != activations)
      report(trigger.line, activated, fmt::format("its count is {}", *trigger.count));
    if (activations < (trigger.kind == "multishot" ? starts : std::min<std::uint64_t>(starts, 1)))
      report(trigger.line, activated, fmt::format("it has {} flows, which would never start", starts));
  }

  void translate() {
    start_clocks();
    for (HtsimFlow& flow : flows_) {
      flow.sent = {flow.source, builder_.send(flow.source, flow.destination, *flow.bytes, 0, 0, flow.line)};
      flow.received = {flow.destination,
                       builder_.receive(flow.destination, flow.source, *flow.bytes, 0, 0, flow.line)};
      if (const std::uint32_t start = starts_[static_cast<std::size_t>(&flow - flows_.data())];
          start != kNone)
        builder_.require(flow.source, flow.sent.op, start);
      if (flow.trigger != 0) triggers_[flow.trigger].flows.push_back(&flow);
      if (flow.send_done != 0) triggers_[flow.send_done].activations.push_back(flow.sent);
      if (flow.recv_done != 0) triggers_[flow.recv_done].activations.push_back(flow.received);
    }
    for (auto& [id, trigger] : triggers_) fire(trigger);
  }

  void start_clocks() {
    starts_.assign(flows_.size(), kNone);
    std::vector<std::size_t> order(flows_.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return flows_[i].start.value_or(0); });
    Clocks clocks(builder_);
    for (const std::size_t i : order)
      if (const HtsimFlow& flow = flows_[i]; flow.start)
        starts_[i] = clocks.at(flow.source, *flow.start, flow.line);
  }

  void fire(const HtsimTrigger& trigger) {
    if (trigger.flows.empty()) return;
    if (trigger.kind == "multishot") {
      for (std::size_t i = 0; i < trigger.flows.size(); ++i)
        start(*trigger.flows[i], tell(trigger.activations[i], trigger.flows[i]->source, trigger.line));
      return;
    }
    HtsimEvent fired = trigger.activations.front();
    if (trigger.activations.size() > 1) {
      const std::uint32_t home = trigger.flows.front()->source;
      fired = {home, builder_.compute(home, 0, Clocks::kCpu, trigger.line)};
      for (const HtsimEvent& activation : trigger.activations)
        builder_.require(home, fired.op, tell(activation, home, trigger.line));
    }
    std::map<std::uint32_t, std::uint32_t> told;  // source -> the operation that its flows wait for
    for (const HtsimFlow* flow : trigger.flows) {
      if (!told.contains(flow->source)) told[flow->source] = tell(fired, flow->source, trigger.line);
      start(*flow, told[flow->source]);
    }
  }

  void start(const HtsimFlow& flow, std::uint32_t after) {
    builder_.require(flow.source, flow.sent.op, after);
  }

  // An operation of the rank that is complete when the event has happened and the rank knows it.
  std::uint32_t tell(HtsimEvent event, std::uint32_t rank, std::uint32_t line) {
    if (event.rank == rank) return event.op;
    const std::uint32_t signal = builder_.send(event.rank, rank, 1, kSignalTag, 0, line);
    builder_.require(event.rank, signal, event.op);
    return builder_.receive(rank, event.rank, 1, kSignalTag, 0, line);
  }

  ProgramText& text_;
  ProgramBuilder& builder_;
  std::optional<std::uint32_t> nodes_;
  std::optional<std::uint64_t> counts_[std::size(kHeader)];
  std::vector<HtsimFlow> flows_;
  std::vector<std::uint32_t> starts_;  // [flow] the compute that ends at its start, or kNone
  std::map<std::uint32_t, HtsimTrigger> triggers_;
  std::map<std::uint32_t, std::uint32_t> line_of_id_;
};

class Htsim final : public FileProgram {
 public:
  bool recognises(std::string_view beginning) const override {
    ProgramText text(bytes_of(std::string(beginning), ""), "", "");
    return count_ranks(text) > 0;
  }
  void read(ProgramText& text, ProgramBuilder& builder, bool only_ranks) const override {
    HtsimReader(text, builder).read(only_ranks);
  }
};

}  // namespace

Entry<ProgramKind> htsim() {
  return {"htsim", "a connection matrix of htsim with triggers (.cm)", "Broadcom/csg-htsim",
          make_entry<ProgramKind, Htsim>};
}

}  // namespace headway
