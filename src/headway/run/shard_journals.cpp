// SPDX-License-Identifier: Apache-2.0
#include "headway/run/shard_journals.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "headway/base/error.h"
#include "headway/base/hash.h"
#include "headway/io/file_lock.h"
#include "headway/io/json.h"
#include "headway/io/json_reader.h"
#include "headway/run/journal.h"
#include "headway/run/results.h"

namespace headway {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFolder = "shards";

// Bytes of journal.jsonl on which the processes of shards have locks.
constexpr ByteRange kAtWork{0, 1}, kOpening{1, 1};
constexpr std::int64_t kNumbers = 2, kKinds = kNumbers + static_cast<std::int64_t>(kMostShards),
                       kMostKinds = std::int64_t{1} << 40;

[[noreturn]] void refuse(std::string why) {
  throw std::system_error(EBUSY, std::generic_category(), std::move(why));
}

// What shards that can be at work at the same time have in common.
std::int64_t kind_of(const Shard& shard, std::uint64_t experiment) {
  const std::uint64_t hash = hash_of(fmt::format("{} of {:x}", shard.of, experiment));
  return kKinds + 1 + static_cast<std::int64_t>(hash % static_cast<std::uint64_t>(kMostKinds));
}

// Locks what a process with a shard must have. Returns why the shard cannot begin; empty if it can. Without
// locks, it always can.
std::string take_seat(LockableFile& seat, const Shard& shard, std::uint64_t experiment) {
  if (seat.lock(LockKind::shared, kAtWork) == LockAnswer::refused)
    return "a command without --shard is at work";
  seat.lock(LockKind::exclusive, kOpening, true);
  const std::int64_t kind = kind_of(shard, experiment);
  if (seat.is_locked(LockKind::exclusive, {kKinds, kind - kKinds}) ||
      seat.is_locked(LockKind::exclusive, {kind + 1, 0}))
    return "shards of another number or of another experiment are at work";
  const ByteRange number{kNumbers + static_cast<std::int64_t>(shard.number) - 1, 1};
  if (seat.lock(LockKind::exclusive, number) == LockAnswer::refused) return "another process has it";
  seat.lock(LockKind::shared, {kind, 1});
  return "";
}

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  return name.data();
}

// As a part of a file name.
std::string plain(std::string name) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
  };
  for (char& c : name)
    if (!is_plain(c)) c = '_';
  return name;
}

std::unique_ptr<Journal> new_journal(const fs::path& directory, const Shard& shard) {
  using std::chrono::duration_cast;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const std::string host = host_name();
  const fs::path folder = directory / kFolder;
  fs::create_directories(folder);
  auto journal = std::make_unique<Journal>(
      folder / fmt::format("{}-of-{}-{}-{}-{}.jsonl", shard.number, shard.of, plain(host), ::getpid(),
                           duration_cast<std::chrono::microseconds>(now).count()));
  const Json head{{"shard", shard.number},
                  {"of", shard.of},
                  {"host", host},
                  {"process", static_cast<std::int64_t>(::getpid())},
                  {"start", duration_cast<std::chrono::seconds>(now).count()}};
  journal->add_note(head.dump());
  return journal;
}

void take_note(std::string_view note, ShardProcess& process) try {
  JsonReader in(note);
  in.object([&](const std::string& name) {
    if (name == "shard")
      process.shard.number = in.whole();
    else if (name == "of")
      process.shard.of = in.whole();
    else if (name == "process")
      process.process = static_cast<std::int64_t>(in.whole());
    else if (name == "start")
      process.start = static_cast<std::int64_t>(in.whole());
    else if (name == "host")
      process.host = in.text();
    else if (name == "end")
      process.end = in.text();
    else
      in.skip();
  });
} catch (const BadJson&) {  // what cannot be read is not said
}

ShardProcess process_of(const fs::path& path) {
  ShardProcess process{.shard = {.number = 0, .of = 0}, .journal = path};
  process.running = is_locked(path);
  read_journal(path, {[](std::uint64_t, std::string_view, std::string_view) {},
                      [&](std::string_view note) { take_note(note, process); }});
  return process;
}

// Everything of a result but its cost.
std::string without_cost(std::string_view result) {
  try {
    Result read = read_result(result);
    read.cpu_s = 0;
    return write_result(read);
  } catch (const NoResult&) {
    return std::string(result);
  }
}

// Finds runs that have different results in two journals.
class Duplicates {
 public:
  // Calls `is_new` for the lines of runs that no earlier journal has.
  void take(const fs::path& journal, const std::function<void(std::string_view line)>& is_new) {
    read_journal(
        journal, {[&](std::uint64_t key, std::string_view result, std::string_view line) {
          const std::uint64_t hash = hash_of(without_cost(result));
          const auto [known, added] = known_.try_emplace(key, Known{hash, journal});
          if (added)
            is_new(line);
          else if (known->second.journal == journal)  // its last line counts
            known->second.hash = hash;
          else if (known->second.hash != hash)
            throw InvariantError(fmt::format("run {:016x} has one result in {} and another one in {}", key,
                                             known->second.journal.string(), journal.string()));
        }});
  }

 private:
  struct Known {
    std::uint64_t hash;  // of its result
    fs::path journal;
  };
  std::unordered_map<std::uint64_t, Known> known_;  // by the key of the run
};

}  // namespace

std::string describe(const ShardProcess& process) {
  return fmt::format("process {} on {}", process.process, process.host);
}

std::vector<fs::path> shard_journals(const fs::path& directory) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory / kFolder, error))
    if (entry.path().extension() == ".jsonl" && entry.is_regular_file(error)) paths.push_back(entry.path());
  std::ranges::sort(paths);
  return paths;
}

std::vector<ShardProcess> shard_processes(const fs::path& directory) {
  std::vector<ShardProcess> processes;
  for (const fs::path& path : shard_journals(directory)) try {
      if (ShardProcess process = process_of(path); process.shard.of != 0)
        processes.push_back(std::move(process));
    } catch (const SpecError&) {  // it has been moved to journal.jsonl meanwhile
    }
  return processes;
}

std::string at_work_in(const fs::path& directory) {
  std::string text;
  for (const ShardProcess& process : shard_processes(directory))
    if (process.running)
      text += fmt::format("{}shard {}/{}: {}", text.empty() ? "" : ", ", process.shard.number,
                          process.shard.of, describe(process));
  return text;
}

OpenJournal open_for_whole(const fs::path& directory) {
  const fs::path path = directory / kJournalName;
  if (is_locked(path))
    if (const std::string who = at_work_in(directory); !who.empty())
      refuse(fmt::format("shards are at work in {} ({})", directory.string(), who));
  auto journal = std::make_unique<Journal>(path);
  const std::vector<fs::path> shards = shard_journals(directory);
  Duplicates runs;
  if (!shards.empty()) runs.take(path, [](std::string_view) {});
  if (!journal->locked()) {
    for (const fs::path& shard : shards) runs.take(shard, [](std::string_view) {});
    return {.journal = new_journal(directory, {})};
  }
  for (const fs::path& shard : shards)
    runs.take(shard, [&](std::string_view line) { journal->add_line(line); });
  journal->sync();
  for (const fs::path& shard : shards) fs::remove(shard);
  std::error_code not_empty;
  fs::remove(directory / kFolder, not_empty);
  return {.journal = std::move(journal)};
}

OpenJournal open_for_shard(const fs::path& directory, const Shard& shard, std::uint64_t experiment,
                           const std::function<void()>& prepare) {
  const auto seat = std::make_shared<LockableFile>(directory / kJournalName, O_RDWR);
  if (const std::string why = take_seat(*seat, shard, experiment); !why.empty()) {
    const std::string who = at_work_in(directory);
    refuse(fmt::format("shard {}/{} cannot begin in {}: {}{}", shard.number, shard.of, directory.string(),
                       why, who.empty() ? "" : fmt::format(" ({})", who)));
  }
  prepare();
  auto journal = new_journal(directory, shard);
  seat->unlock(kOpening);
  return {.seat = seat, .journal = std::move(journal)};
}

void note_end(Journal& journal, std::string_view end) { journal.add_note(Json{{"end", end}}.dump()); }

}  // namespace headway
