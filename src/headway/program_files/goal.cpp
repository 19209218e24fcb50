// SPDX-License-Identifier: Apache-2.0
// GOAL text, the format of LogGOPSim and of tools that write it (docs/program-files.md has the grammar). As
// there, both labels of a dependency must be defined above it, so one pass is enough. Choices: ranks come in
// order, each once; labels are unique within a rank; `nic` has no effect; no wildcards; a comment "calc_unit
// = "1 ps"" above the first rank is the unit of calc.
#include <fmt/format.h>

#include <algorithm>

#include "headway/base/units.h"
#include "headway/program_files/goal_binary.h"
#include "headway/program_files/labels.h"
#include "headway/programs/file_program.h"
#include "headway/trace/record.h"

namespace headway {
namespace {

class GoalReader {
 public:
  // `unit` is that of the job; none: that of the file, otherwise a nanosecond.
  GoalReader(ProgramText& text, ProgramBuilder& builder, std::optional<Duration> unit)
      : text_(text), builder_(builder), of_job_(std::move(unit)) {}

  // Reads the whole file, or, with `only_ranks`, up to the number of ranks.
  void read(bool only_ranks) {
    while (!(only_ranks && ranks_ > 0) && !stopped_ && text_.next()) {
      words_ = Words(text_.line());
      text_.attempt([&] { read_line(); });
    }
    if (!only_ranks && !stopped_) end();
    if (only_ranks && ranks_ == 0 && !text_.any_wrong()) report_no_ranks(/*line=*/0);
  }

 private:
  static constexpr std::string_view kOperations[] = {"send", "recv", "calc"};
  static constexpr std::string_view kDependencies[] = {"requires", "irequires"};
  static constexpr std::string_view kRefused[] = {"put", "get", "append", "test",
                                                  "calcgem5"};  // of LogGOPSim2
  static constexpr std::string_view kStatements[] = {"send", "recv", "calc", "rank", "num_ranks"};
  static constexpr std::string_view kOptions[] = {"tag", "cpu", "nic"};  // in this order
  enum Option : std::size_t { kTag, kCpu, kNic, kEnd };

  static bool contains(std::span<const std::string_view> words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
  }

  static constexpr std::uint32_t kNoRank = UINT32_MAX;
  static constexpr std::uint32_t kBroken = UINT32_MAX;  // the operation of a label whose line is wrong

  void read_line() {
    while (!words_.at_end()) {
      if (comment_ != 0) {
        const std::size_t end = words_.rest().find("*/");
        if (end == std::string_view::npos) return;
        words_.skip(end + 2);
        comment_ = 0;
      } else if (words_.take("//")) {
        return read_comment();
      } else if (words_.take("/*")) {
        comment_ = text_.number();
      } else if (const std::string_view here = words_.rest(); words_.take("}")) {
        if (rank_ == kNoRank) throw WrongLine{here, "this } closes no rank"};
        rank_ = kNoRank;
      } else {
        const std::string_view word = words_.word();
        if (word == "num_ranks") {
          read_ranks(word);
        } else if (word == "rank") {
          begin_rank(word);
        } else {
          return read_operation(word, here);
        }
      }
    }
  }

  // The unit of calc, in a comment that other readers skip.
  void read_comment() {
    const std::string_view at = words_.rest();
    if (words_.word() != "calc_unit" || !words_.take("=")) return;
    std::string_view value = words_.rest();
    while (value.ends_with(' ') || value.ends_with('\t')) value.remove_suffix(1);
    const bool quoted = value.size() > 1 && value.starts_with('"') && value.ends_with('"');
    const auto unit = quoted ? parse_duration(value.substr(1, value.size() - 2)) : std::nullopt;
    if (!unit || unit->ns <= Rational(0))
      throw WrongLine{value, "the unit of calc is not a time above 0",
                      "write for example // calc_unit = \"1 ps\""};
    if (next_rank_ > 0) throw WrongLine{at, "the unit of calc must come before the first rank"};
    const auto refuse = [&](const Duration& other, std::string_view whose) {
      throw WrongLine{
          at,
          fmt::format("the unit of calc is {} here, and {} {}", to_string(*unit), to_string(other), whose),
          "both are the same, or one of them is left out"};
    };
    if (of_job_ && of_job_->ns != unit->ns) refuse(*of_job_, "in the job (calc_unit)");
    if (of_file_ && of_file_->ns != unit->ns) refuse(*of_file_, "above");
    of_file_ = unit;
    unit_ = picoseconds_in(*unit);
  }

  static Rational picoseconds_in(const Duration& unit) { return unit.ns * Rational(kNanosecond); }

  void read_ranks(std::string_view word) {
    const std::string_view at = words_.rest();
    if (ranks_ > 0) throw WrongLine{word, "num_ranks is given twice"};
    const auto ranks = static_cast<std::uint32_t>(words_.number("the number of ranks", limits::kRanks));
    if (ranks == 0) throw WrongLine{at, "a program has at least one rank"};
    builder_.have_at_least(ranks_ = ranks);
  }

  void begin_rank(std::string_view word) {
    if (ranks_ == 0) {
      stopped_ = true;
      throw WrongLine{word, "num_ranks must come before the first rank", "for example \"num_ranks 16\""};
    }
    const bool is_open = rank_ != kNoRank;
    const std::uint32_t open = rank_;
    const std::string_view at = words_.rest();
    const auto rank = static_cast<std::uint32_t>(words_.number("the number of the rank", UINT32_MAX));
    if (!words_.take("{"))
      throw WrongLine{words_.rest(), fmt::format("a \"{{\" is missing, {}", found_text(words_.rest()))};
    rank_ = std::min(rank, ranks_ - 1);
    labels_.clear();
    const std::uint32_t expected = std::exchange(next_rank_, std::max(next_rank_, rank_ + 1));
    if (is_open) throw WrongLine{word, fmt::format("rank {} is not closed with a }}", open)};
    if (rank >= ranks_) throw WrongLine{at, fmt::format("there is no rank {}", rank), valid_ranks()};
    if (rank < expected) throw WrongLine{at, fmt::format("rank {} is here twice, or too late", rank), kOrder};
    if (rank > expected)
      throw WrongLine{at, fmt::format("rank {} is missing before rank {}", expected, rank), kOrder};
  }
  static constexpr const char* kOrder = "ranks come in the order 0, 1, ..., each once; a block can be empty";
  std::string valid_ranks() const {
    return ranks_ == 1 ? "the file has rank 0 only" : fmt::format("the file has ranks 0 to {}", ranks_ - 1);
  }

  void read_operation(std::string_view word, std::string_view here) {
    if (word.empty())
      throw WrongLine{here, fmt::format("a statement begins with a word, but {}", found_text(here)),
                      "an operation, a label or }"};
    if (rank_ == kNoRank) {
      if (contains(kOperations, word) || words_.next() == ':')
        throw WrongLine{word, "this operation is outside a rank", "begin with \"rank 0 {\""};
      static constexpr std::string_view kOutside[] = {"num_ranks", "rank"};
      throw WrongLine{word, fmt::format("\"{}\" is unknown here", word), hint_of(word, kOutside)};
    }
    if (contains(kOperations, word)) {
      operation(word);
    } else if (words_.take(":")) {
      label(word);
    } else {
      dependency(word);
    }
  }

  // A wrong operation defines its label, so that the lines that use it are no mistakes of their own.
  void label(std::string_view word) {
    const bool is_label = (word[0] < '0' || word[0] > '9') && word[0] != '_';
    if (!is_label)
      throw WrongLine{word, fmt::format("\"{}\" is no label", word), "a label begins with a letter"};
    std::uint32_t op = kBroken;
    text_.attempt([&] {
      const std::string_view kind = words_.word();
      op = operation(kind.empty() ? words_.rest().substr(0, 0) : kind);
    });
    if (const auto* other = labels_.add(word, op, text_.number()))
      throw WrongLine{word, fmt::format("the label \"{}\" is defined twice in rank {}", word, rank_),
                      fmt::format("see line {}", other->line)};
  }

  std::uint32_t operation(std::string_view kind) {
    const std::uint32_t line = text_.number();
    if (kind == "calc") {
      const std::string_view at = words_.rest();
      const auto picoseconds = picoseconds_of(words_.number("the time of the calc"), unit_);
      if (!picoseconds) throw WrongLine{at, kCalcTooLong, "see calc_unit"};
      const Options options = read_options(kCpu, kNic);
      return builder_.compute(rank_, *picoseconds, options.cpu, line);
    }
    const bool is_send = kind == "send";
    if (!is_send && kind != "recv") refuse(kind);
    const std::uint64_t bytes = words_.number("the size", static_cast<std::uint64_t>(limits::kBytes));
    expect("b", "the unit \"b\" behind the size");
    expect(is_send ? "to" : "from", is_send ? "\"to\"" : "\"from\"");
    refuse_wildcard("rank");
    const std::string_view at = words_.rest();
    const std::uint64_t peer = words_.number(is_send ? "the receiver" : "the sender");
    if (peer >= ranks_) throw WrongLine{at, fmt::format("there is no rank {}", peer), valid_ranks()};
    const Options options = read_options(kTag, kEnd);
    const auto rank = static_cast<std::uint32_t>(peer);
    return is_send ? builder_.send(rank_, rank, bytes, options.tag, options.cpu, line)
                   : builder_.receive(rank_, rank, bytes, options.tag, options.cpu, line);
  }

  [[noreturn]] void refuse(std::string_view kind) {
    if (contains(kRefused, kind))
      throw WrongLine{kind,
                      fmt::format("\"{}\" is an operation of LogGOPSim2, which Headway does not have", kind),
                      "valid operations are send, recv and calc"};
    if (kind.empty())
      throw WrongLine{kind, fmt::format("an operation is missing, {}", found_text(words_.rest())),
                      "send, recv or calc"};
    throw WrongLine{kind, fmt::format("\"{}\" is no operation", kind), hint_of(kind, kOperations)};
  }

  void refuse_wildcard(std::string_view what) {
    const std::string_view at = words_.rest();
    if (words_.take("-1"))
      throw WrongLine{
          at, fmt::format("any {} (-1) is not possible, because messages are matched before the run", what),
          fmt::format("name the {}", what)};
  }

  void expect(std::string_view word, std::string_view what) {
    const std::string_view at = words_.rest();
    if (words_.word() != word) throw WrongLine{at, fmt::format("{} is missing, {}", what, found_text(at))};
  }

  struct Options {
    std::uint32_t tag = 0;
    std::uint8_t cpu = 0;
  };
  // The options from `first` on, before `end`.
  Options read_options(std::size_t first, std::size_t end) {
    Options options;
    const auto valid = std::span(kOptions).subspan(first, end - first);
    for (std::size_t next = first; !words_.at_end();) {
      const std::string_view here = words_.rest();
      if (here.starts_with('/'))
        throw WrongLine{here, "a comment cannot follow a statement", "write it on a line of its own"};
      const std::string_view word = words_.one_of(valid, "the statement should end here, but ");
      const auto option = static_cast<std::size_t>(std::ranges::find(kOptions, word) - std::begin(kOptions));
      if (option < next)
        throw WrongLine{here, fmt::format("\"{}\" is here twice, or too late", word),
                        "options come in the order tag, cpu, nic"};
      next = option + 1;
      if (option == kTag) {
        refuse_wildcard("tag");
        options.tag = static_cast<std::uint32_t>(words_.number("the tag", UINT32_MAX));
      } else if (option == kCpu) {
        options.cpu = static_cast<std::uint8_t>(words_.number("the cpu", UINT8_MAX));
      } else {
        words_.number("the nic", UINT32_MAX);
      }
    }
    return options;
  }

  void dependency(std::string_view after) {
    const std::string_view here = words_.rest(), word = words_.word();
    if (!contains(kDependencies, word)) {
      if (contains(kRefused, after)) refuse(after);
      const std::string_view near = hint_word(word, kDependencies);
      if (!near.empty())
        throw WrongLine{here, fmt::format("\"{}\" is unknown", word),
                        fmt::format("did you mean \"{}\"?", near)};
      throw WrongLine{
          after, fmt::format("\"{}\" is neither an operation nor a label with \":\" or \"requires\"", after),
          hint_of(after, kStatements)};
    }
    const std::string_view at = words_.rest(), needed = words_.word();
    if (needed.empty()) throw WrongLine{at, fmt::format("a label is missing, {}", found_text(at))};
    words_.expect_end("line", "one dependency a line");
    const std::uint32_t op = find(after), on = find(needed);
    if (op != kBroken && on != kBroken) builder_.require(rank_, op, on, word == "irequires");
  }
  static std::string_view hint_word(std::string_view word, std::span<const std::string_view> valid) {
    for (const std::string_view candidate : valid)
      if (hint_of(word, std::span(&candidate, 1)).starts_with("did")) return candidate;
    return {};
  }

  std::uint32_t find(std::string_view label) const {
    if (const auto* found = labels_.find(label)) return found->op;
    constexpr std::size_t kMostCompared = 10'000;
    std::string hint = "define both labels above the line that uses them";
    if (text_.shows_more())
      if (const auto near = hint_of(label, labels_.last(kMostCompared)); near.starts_with("did")) hint = near;
    throw WrongLine{label, fmt::format("rank {} has no label \"{}\" above this line", rank_, label), hint};
  }

  void report_no_ranks(std::uint32_t line) {
    text_.report_at(line, {{}, "the file does not say num_ranks", "for example \"num_ranks 16\""});
  }

  void end() {
    if (comment_ != 0) text_.report_at(comment_, {{}, "this comment has no end", "close it with */"});
    if (rank_ != kNoRank)
      text_.report_at(text_.number(), {{}, fmt::format("rank {} is not closed with a }}", rank_)});
    if (ranks_ == 0)
      report_no_ranks(text_.number());
    else if (next_rank_ < ranks_ && !text_.any_wrong())
      text_.report_at(text_.number(),
                      {{}, fmt::format("the file ends before rank {}", next_rank_), valid_ranks()});
  }

  ProgramText& text_;
  ProgramBuilder& builder_;
  std::optional<Duration> of_job_, of_file_;  // the unit of calc that they give
  Rational unit_ = picoseconds_in(of_job_.value_or(Duration{Rational(1)}));
  Words words_;
  Labels labels_;
  std::uint32_t ranks_ = 0;
  std::uint32_t rank_ = kNoRank;  // whose block is open
  std::uint32_t next_rank_ = 0;
  std::uint32_t comment_ = 0;  // line where an open comment begins
  bool stopped_ = false;
};

class Goal final : public FileProgram {
 public:
  void describe(Parameters& parameters) override {
    FileProgram::describe(parameters);
    parameters.field(
        {.name = "calc_unit",
         .help = "unit of the times of calc; default: what a comment of the text says above the first rank, "
                 "such as // calc_unit = \"1 ps\", otherwise 1 ns",
         .bounds = Bounds::over(0, limits::kTime)},
        calc_unit_);
  }
  bool recognises(std::string_view beginning) const override {
    ProgramText text(bytes_of(std::string(beginning), ""), "", "");
    if (is_goal_binary(text)) return true;
    ProgramBuilder scratch(0);  // has the ranks although a line above them may be wrong
    read(text, scratch, /*only_ranks=*/true);
    return scratch.ranks() > 0;
  }
  void read(ProgramText& text, ProgramBuilder& builder, bool only_ranks) const override {
    if (!is_goal_binary(text)) return GoalReader(text, builder, calc_unit_).read(only_ranks);
    const Rational unit = calc_unit_.value_or(Duration{Rational(1)}).ns * Rational(kNanosecond);
    read_goal_binary(text, builder, unit, only_ranks);
  }

 private:
  std::optional<Duration> calc_unit_;
};

}  // namespace

Entry<ProgramKind> goal() {
  return {"goal", "a program in GOAL, the format of LogGOPSim, as text or in its binary form",
          "Hoefler, Siebert and Lumsdaine, 2009", make_entry<ProgramKind, Goal>};
}

}  // namespace headway
