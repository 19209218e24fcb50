// SPDX-License-Identifier: Apache-2.0
// Operations as CSV, one row per operation, under a header that names the columns:
//
//     rank,kind,peer,bytes,time_ns,tag,cpu,after
//
// in any order of columns; only rank and kind must be there. `after` lists the numbers of earlier operations
// of the rank, counted from 0, that must be complete, or with `~` before the number must have started: "3
// ~5". Rows of several ranks can be mixed. A '#' begins a comment line.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "headway/programs/file_program.h"
#include "headway/trace/record.h"
#include "headway/trace/text.h"

namespace headway {
namespace {

class OperationsReader {
 public:
  OperationsReader(ProgramText& text, ProgramBuilder& builder) : text_(text), builder_(builder) {
    at_.fill(kAbsent);
  }

  // Reads the file; with `only_ranks`, adds its ranks and no operations.
  void read(bool only_ranks) {
    while (text_.next()) {
      const std::string_view line = trimmed(text_.line());
      if (line.empty() || line.front() == '#') continue;
      if (columns_ > 0)
        text_.attempt([&] { read_row(line, only_ranks); });
      else if (!text_.attempt([&] { read_header(line); }))
        return;
    }
    if (columns_ == 0) text_.report_at(0, {{}, "the file is empty", header_text()});
  }

 private:
  enum Column : std::size_t { kRank, kKind, kPeer, kBytes, kTime, kTag, kCpu, kAfter, kColumns };
  static constexpr std::array<std::string_view, kColumns> kNames = {"rank",    "kind", "peer", "bytes",
                                                                    "time_ns", "tag",  "cpu",  "after"};
  static constexpr std::string_view kKinds[] = {"send", "receive", "compute"};

  static constexpr std::size_t kAbsent = SIZE_MAX;

  static std::string header_text() {
    return fmt::format("begin with the columns: {}", fmt::join(kNames, ","));
  }

  void read_header(std::string_view line) {
    std::array<std::string_view, kColumns> names;
    const std::size_t count = split(line, names);
    if (count > kColumns)
      throw WrongLine{line, fmt::format("the header has {} columns", count), header_text()};
    for (std::size_t i = 0; i < count; ++i) {
      const auto found = std::ranges::find(kNames, names[i]);
      if (found == kNames.end())
        throw WrongLine{names[i], fmt::format("there is no column \"{}\"", names[i].substr(0, 40)),
                        hint_of(names[i], kNames)};
      std::size_t& at = at_[static_cast<std::size_t>(found - kNames.begin())];
      if (at != kAbsent) throw WrongLine{names[i], fmt::format("the column \"{}\" is here twice", names[i])};
      at = i;
    }
    for (const Column needed : {kRank, kKind})
      if (at_[needed] == kAbsent)
        throw WrongLine{line, fmt::format("the column \"{}\" is missing", kNames[needed]), header_text()};
    columns_ = count;
  }

  void read_row(std::string_view line, bool only_ranks) {
    fields_.fill({});
    const std::size_t count = split(line, fields_);
    if (count != columns_)
      throw WrongLine{line, fmt::format("the row has {} fields, but the header has {}", count, columns_)};
    const auto rank = static_cast<std::uint32_t>(needed_number(kRank, limits::kRanks - 1));
    builder_.have_at_least(rank + 1);
    if (only_ranks) {
      if (field(kKind) != "compute") builder_.have_at_least(peer() + 1);
      return;
    }
    if (rank >= operations_.size())
      operations_.resize(std::max<std::size_t>(rank + 1, operations_.size() * 2));
    const std::uint32_t number = operations_[rank]++;  // also if the row is wrong, so that others keep theirs
    add(rank);
    require(rank, number);
  }

  void add(std::uint32_t rank) {
    const std::uint32_t line = text_.number();
    const std::string_view kind = field(kKind);
    const auto cpu = static_cast<std::uint8_t>(number(kCpu, UINT8_MAX));
    if (kind == "compute") {
      for (const Column column : {kPeer, kBytes, kTag})
        if (const auto value = field(column);
            !value.empty() && value != "0" && !(column == kPeer && value == "-1"))
          throw WrongLine{value, fmt::format("a compute has no {}", kNames[column]), "leave the field empty"};
      builder_.compute(rank, time(), cpu, line);
      return;
    }
    const bool is_send = kind == "send";
    if (!is_send && kind != "receive")
      throw WrongLine{
          kind,
          kind.empty() ? "the kind is missing" : fmt::format("there is no kind \"{}\"", kind.substr(0, 40)),
          hint_of(kind, kKinds)};
    if (const auto value = field(kTime);
        !value.empty() && decimal_number(value, kNanosecond) != SignedWide{0})
      throw WrongLine{value, fmt::format("a {} has no time", kind), "leave the field empty"};
    refuse_any(kTag);
    const std::uint32_t to = peer();
    const std::uint64_t bytes = needed_number(kBytes, static_cast<std::uint64_t>(limits::kBytes));
    const auto tag = static_cast<std::uint32_t>(number(kTag, UINT32_MAX));
    builder_.have_at_least(to + 1);
    if (is_send)
      builder_.send(rank, to, bytes, tag, cpu, line);
    else
      builder_.receive(rank, to, bytes, tag, cpu, line);
  }

  void require(std::uint32_t rank, std::uint32_t op) {
    for (Words words(field(kAfter)); !words.at_end();) {
      const bool on_start = words.take("~");
      const std::string_view at = words.rest();
      const std::uint64_t needed = words.number("the number of an earlier operation");
      if (needed >= op)
        throw WrongLine{
            at, fmt::format("rank {} has no operation {} before this one, which is its {}", rank, needed, op),
            op == 0 ? "it is the first of its rank" : fmt::format("0 to {}", op - 1)};
      builder_.require(rank, op, static_cast<std::uint32_t>(needed), on_start);
    }
  }

  std::string_view field(Column column) const {
    return at_[column] == kAbsent ? std::string_view{} : fields_[at_[column]];
  }
  // 0 if the field is empty.
  std::uint64_t number(Column column, std::uint64_t most) const {
    const std::string_view text = field(column);
    if (text.empty()) return 0;
    std::uint64_t value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_whole = fault != std::errc::invalid_argument && end == text.data() + text.size();
    if (!is_whole || fault != std::errc{} || value > most)
      throw WrongLine{text,
                      fmt::format("the {}, \"{}\", is {}", kNames[column], text.substr(0, 40),
                                  is_whole ? "too large" : "not a whole number"),
                      fmt::format("0 to {}", most)};
    return value;
  }
  std::uint64_t needed_number(Column column, std::uint64_t most) const {
    if (field(column).empty())
      throw WrongLine{text_.line(), fmt::format("the {} is missing", kNames[column])};
    return number(column, most);
  }
  void refuse_any(Column column) const {
    if (field(column) == "-1")
      throw WrongLine{field(column),
                      fmt::format("any {} (-1) is not possible, because messages are matched before the run",
                                  kNames[column]),
                      fmt::format("name the {}", kNames[column])};
  }
  std::uint32_t peer() const {
    refuse_any(kPeer);
    return static_cast<std::uint32_t>(needed_number(kPeer, limits::kRanks - 1));
  }
  std::uint64_t time() const {
    const std::string_view text = field(kTime);
    if (text.empty()) throw WrongLine{text_.line(), "a compute needs a time_ns"};
    const auto value = decimal_number(text, kNanosecond);
    if (!value || *value > kMostTraceTime)
      throw WrongLine{
          text,
          fmt::format("the time_ns, \"{}\", is {}", text.substr(0, 40), value ? "too long" : "not a number"),
          "nanoseconds, at most 46 days"};
    return static_cast<std::uint64_t>(*value);
  }

  static std::string_view trimmed(std::string_view text) {
    const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
  }

  // The trimmed fields of a line, at most as many as fit.
  static std::size_t split(std::string_view line, std::span<std::string_view> fields) {
    for (std::size_t count = 0;; ++count) {
      const std::size_t end = std::min(line.find(','), line.size());
      if (count < fields.size()) fields[count] = trimmed(line.substr(0, end));
      if (end == line.size()) return count + 1;
      line.remove_prefix(end + 1);
    }
  }

  ProgramText& text_;
  ProgramBuilder& builder_;
  std::array<std::size_t, kColumns> at_{};  // position of each column
  std::size_t columns_ = 0;                 // 0: before the header
  std::array<std::string_view, kColumns> fields_;
  std::vector<std::uint32_t> operations_;  // [rank]
};

class OperationsCsv final : public FileProgram {
 public:
  bool recognises(std::string_view beginning) const override {
    while (beginning.starts_with('#'))
      beginning.remove_prefix(std::min(beginning.find('\n'), beginning.size() - 1) + 1);
    const std::string_view header = beginning.substr(0, beginning.find('\n'));
    return header.find("rank") != std::string_view::npos && header.find("kind") != std::string_view::npos;
  }
  void read(ProgramText& text, ProgramBuilder& builder, bool only_ranks) const override {
    OperationsReader(text, builder).read(only_ranks);
  }
};

}  // namespace

Entry<ProgramKind> operations_csv() {
  return {"csv", "a program as CSV: a row per operation, with its rank, kind and what it comes after",
          "Headway", make_entry<ProgramKind, OperationsCsv>};
}

}  // namespace headway
