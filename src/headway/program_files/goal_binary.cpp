// SPDX-License-Identifier: Apache-2.0
// All numbers are little-endian and packed. After the cookie: the number of ranks (4 bytes), the numbers of
// CPUs and NICs (1 byte each), and for each rank where it begins and ends (8 bytes each), counted from behind
// the cookie. A rank has the numbers of its operations and of those without requirements (4 bytes each), the
// latter operations (4 bytes each), a record of 39 bytes for each operation, and an appendix of operations (4
// bytes each). A record says how many entries of the appendix require the end of its operation, and how many
// require its start. LogGOPSim writes ranks one behind the other, and the entries in the order of the
// records, so one pass is enough; other orders are mistakes.
#include "headway/program_files/goal_binary.h"

#include <fmt/format.h>

#include <limits>
#include <vector>

#include "headway/base/wide.h"
#include "headway/config/limits.h"
#include "headway/programs/file_program.h"

namespace headway {
namespace {

constexpr std::uint64_t kCookie = 4223;
constexpr std::uint64_t kUnfinished = 2342;  // instead of the cookie, while a file is being written
constexpr std::uint32_t kAny = std::numeric_limits<std::uint32_t>::max();  // any rank or tag
constexpr std::uint64_t kRecord = 39;
constexpr std::uint64_t kHeader = 4 + 1 + 1;

template <class Number>
Number little_endian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < sizeof(Number); ++i)
    number |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  return static_cast<Number>(number);
}

class GoalBinaryReader {
 public:
  GoalBinaryReader(ProgramText& text, ProgramBuilder& builder, const Rational& unit)
      : text_(text), builder_(builder), unit_(unit) {}

  void read(bool only_ranks) {
    if (next<std::uint64_t>("the cookie") == kUnfinished)
      throw WrongByte{0, "the file is unfinished: the program that wrote it has not come to its end"};
    const auto ranks = next<std::uint32_t>("the number of ranks");
    if (ranks == 0 || ranks > limits::kRanks)
      throw WrongByte{sizeof(kCookie), fmt::format("the file has {} ranks", ranks),
                      fmt::format("1 to {}", limits::kRanks)};
    take(2, "the numbers of CPUs and NICs");  // those of the operations decide
    if (only_ranks) return builder_.have_at_least(ranks);
    std::vector<std::uint64_t> ends;  // grows with what is read, not with what the header says
    std::uint64_t expected = sizeof(kCookie) + kHeader + std::uint64_t{ranks} * 16;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      const std::uint64_t at = text_.offset();
      const std::uint64_t begin = next<std::uint64_t>("the begin of a rank") + sizeof(kCookie);
      const std::uint64_t end = next<std::uint64_t>("the end of a rank") + sizeof(kCookie);
      if (begin != expected)
        throw WrongByte{at, fmt::format("rank {} begins at byte {} of the file", rank, begin),
                        fmt::format("it must be byte {}, where {} ends", expected,
                                    rank == 0 ? "the table" : fmt::format("rank {}", rank - 1))};
      if (end < begin)
        throw WrongByte{at + 8, fmt::format("rank {} ends at byte {}, before it begins", rank, end)};
      ends.push_back(expected = end);
    }
    builder_.have_at_least(ranks);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) read_rank(rank, ends[rank]);
    if (!text_.ahead(1).empty()) throw WrongByte{text_.offset(), "the file should end here"};
  }

 private:
  struct Operation {
    std::uint32_t needs;             // operations, as the record says
    std::uint32_t on_end, on_start;  // operations that require it
    std::uint64_t at;                // of its record
  };

  std::string_view take(std::size_t count, std::string_view what) {
    const std::string_view taken = text_.take(count);
    if (taken.size() < count) throw WrongByte{text_.offset(), fmt::format("the file ends within {}", what)};
    return taken;
  }
  template <class Number>
  Number next(std::string_view what) {
    return little_endian<Number>(take(sizeof(Number), what));
  }

  void read_rank(std::uint32_t rank, std::uint64_t end) {
    const std::uint64_t at = text_.offset();
    const auto count = next<std::uint32_t>("the number of operations");
    const auto ready = next<std::uint32_t>("the number of operations without requirements");
    const Wide least = Wide{at} + 8 + Wide{ready} * 4 + Wide{count} * kRecord;
    if (least > end || (end - static_cast<std::uint64_t>(least)) % 4 != 0)
      throw WrongByte{
          at, fmt::format("rank {} has {} operations, {} of them without requirements", rank, count, ready),
          fmt::format("it ends at byte {}, where these do not", end)};
    for (std::uint32_t i = 0; i < ready; ++i) take(4, "the operations without requirements");
    std::vector<Operation> operations;
    std::uint64_t entries = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      operations.push_back(read_record(rank, entries));
      entries += std::uint64_t{operations.back().on_end} + operations.back().on_start;
    }
    if (text_.offset() + entries * 4 != end)
      throw WrongByte{text_.offset(), fmt::format("the appendix of rank {} has {} entries", rank, entries),
                      fmt::format("the rank ends at byte {}", end)};
    std::vector<std::uint32_t> found(operations.size());
    for (std::uint32_t op = 0; op < count; ++op) {
      read_dependents(rank, op, operations[op].on_end, /*on_start=*/false, found);
      read_dependents(rank, op, operations[op].on_start, /*on_start=*/true, found);
    }
    std::uint32_t without = 0;
    for (std::uint32_t op = 0; op < count; ++op) {
      without += found[op] == 0;
      if (found[op] != operations[op].needs)
        throw WrongByte{
            operations[op].at,
            fmt::format("operation {} of rank {} has {} requirements", op, rank, operations[op].needs),
            fmt::format("the appendix has {} for it", found[op])};
    }
    if (without != ready)
      throw WrongByte{at + 4, fmt::format("rank {} has {} operations without requirements", rank, ready),
                      fmt::format("there are {}", without)};
  }

  Operation read_record(std::uint32_t rank, std::uint64_t entries) {
    const std::uint64_t at = text_.offset();
    const std::string_view record = take(kRecord, "an operation");
    const auto field = [&]<class Number>(std::size_t from, Number) {
      return little_endian<Number>(record.substr(from));
    };
    const auto kind = field(4, std::uint8_t{});
    const auto amount = field(9, std::uint64_t{});
    const auto cpu = field(21, std::uint8_t{});
    if (kind == 3) {
      const auto picoseconds = picoseconds_of(amount, unit_);
      if (!picoseconds) throw WrongByte{at + 9, kCalcTooLong, "see calc_unit"};
      builder_.compute(rank, *picoseconds, cpu);
    } else {
      const auto peer = field(5, std::uint32_t{}), tag = field(17, std::uint32_t{});
      if (kind != 1 && kind != 2)
        throw WrongByte{at + 4, fmt::format("an operation of kind {} is unknown", kind),
                        "1 is send, 2 receive and 3 calc"};
      for (const auto& [value, what, where] : {std::tuple(peer, "rank", 5), {tag, "tag", 17}})
        if (value == kAny)
          throw WrongByte{
              at + static_cast<std::uint64_t>(where),
              fmt::format("any {} is not possible, because messages are matched before the run", what)};
      if (peer >= builder_.ranks())
        throw WrongByte{at + 5, fmt::format("there is no rank {}", peer),
                        fmt::format("the file has {} ranks", builder_.ranks())};
      if (amount > static_cast<std::uint64_t>(limits::kBytes))
        throw WrongByte{at + 9, "the size is too large",
                        fmt::format("at most {} B", static_cast<std::uint64_t>(limits::kBytes))};
      kind == 1 ? builder_.send(rank, peer, amount, tag, cpu)
                : builder_.receive(rank, peer, amount, tag, cpu);
    }
    const Operation operation{field(0, std::uint32_t{}), field(23, std::uint32_t{}),
                              field(31, std::uint32_t{}), at};
    const std::uint64_t firsts[] = {field(27, std::uint32_t{}), field(35, std::uint32_t{})};
    if ((operation.on_end > 0 && firsts[0] != entries) ||
        (operation.on_start > 0 && firsts[1] != entries + operation.on_end))
      throw WrongByte{at + 27, "the operations that require this one are not where the appendix is read",
                      fmt::format("entry {} comes next", entries)};
    return operation;
  }

  void read_dependents(std::uint32_t rank, std::uint32_t needed, std::uint32_t count, bool on_start,
                       std::vector<std::uint32_t>& found) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint64_t at = text_.offset();
      const auto op = next<std::uint32_t>("the appendix");
      if (op >= found.size())
        throw WrongByte{at, fmt::format("rank {} has no operation {}", rank, op),
                        fmt::format("it has {}", found.size())};
      ++found[op];
      builder_.require(rank, op, needed, on_start);
    }
  }

  ProgramText& text_;
  ProgramBuilder& builder_;
  const Rational& unit_;
};

}  // namespace

bool is_goal_binary(ProgramText& text) {
  const std::string_view bytes = text.ahead(sizeof(kCookie));
  if (bytes.size() < sizeof(kCookie)) return false;
  const auto cookie = little_endian<std::uint64_t>(bytes);
  return cookie == kCookie || cookie == kUnfinished;
}

void read_goal_binary(ProgramText& text, ProgramBuilder& builder, const Rational& unit, bool only_ranks) {
  try {
    GoalBinaryReader(text, builder, unit).read(only_ranks);
  } catch (const WrongByte& wrong) {
    text.report(wrong);
  }
}

}  // namespace headway
