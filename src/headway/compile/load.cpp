// SPDX-License-Identifier: Apache-2.0
#include "headway/compile/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "headway/base/cancel_scope.h"
#include "headway/base/error.h"
#include "headway/base/hash.h"
#include "headway/base/visible.h"
#include "headway/compile/notes.h"
#include "headway/compile/plan.h"
#include "headway/compile/run_cost.h"
#include "headway/config/limits.h"
#include "headway/config/nearest.h"
#include "headway/metrics/metric.h"
#include "headway/metrics/tables.h"
#include "headway/metrics/units.h"
#include "headway/spec/agreement.h"
#include "headway/spec/flow_names.h"
#include "headway/spec/read_spec.h"
#include "headway/spec/sweep_axes.h"
#include "headway/spec/units_table.h"
#include "headway/spec/write_spec.h"

namespace headway {
namespace {

// What is needed to make the points of a sweep; shared by all points.
struct SweptSpec {
  explicit SweptSpec(const MemoryFiles& in_memory) : files(in_memory) {}

  Document document;  // the file with the overrides
  SweepAxes axes;
  std::vector<std::string> swept;  // keys that are swept, or set beside the file
  InputFiles files;                // files that the points name

  Spec spec(std::size_t point) const {
    Document of_point = document;
    axes.set(point, of_point, [](const SweepAxis::Key&, const std::string&) {});
    Mistakes none;
    return read_spec(of_point, none, swept, files).spec;
  }
};

// Collects the mistakes of all points. A mistake that only some points have names the first of them.
class PointMistakes {
 public:
  // `points` points are checked together; the first has these parameters.
  void add(Mistake mistake, const Params& params, std::size_t points) {
    const auto [place, fresh] = place_of_.emplace(mistake.key + '\n' + mistake.message, found_.size());
    if (fresh)
      found_.push_back({std::move(mistake), points, params});
    else
      found_[place->second].points += points;
  }
  // Values of a list or a range that are wrong in the same place: the first few, and how many more there are.
  void report(std::size_t points, Mistakes& mistakes) const {
    constexpr std::size_t kFew = 3;
    std::unordered_map<std::string, std::size_t> times, reported;
    for (const Found& found : found_)
      if (found.points < points) ++times[place_of(found.mistake)];
    for (Found found : found_) {
      if (found.points < points) {
        const std::size_t now = ++reported[place_of(found.mistake)], all = times[place_of(found.mistake)];
        if (now > kFew) continue;
        std::erase_if(found.params, [&](const auto& param) { return param.first == found.mistake.key; });
        if (!found.params.empty())
          found.mistake.message += fmt::format(" (at {})", params_text(found.params));
        if (now == kFew && all > kFew)
          found.mistake.message += fmt::format(", and {} more such values", all - kFew);
      }
      mistakes.add(std::move(found.mistake));
    }
  }

 private:
  // What wrong values of one list or range share.
  static std::string place_of(const Mistake& mistake) { return mistake.where + '\n' + mistake.key; }

  struct Found {
    Mistake mistake;
    std::size_t points;
    Params params;
  };
  std::vector<Found> found_;
  std::unordered_map<std::string, std::size_t> place_of_;  // key and message -> into found_
};

// Reports keys that are set or swept but that no point uses: parameters of members that the sweep does not
// choose.
class IdleKeys {
 public:
  explicit IdleKeys(const Document& document) : document_(document) {}

  void watch(const std::string& key, const std::string& where) {
    idle_.push_back({document_.meant_by(key), where, std::nullopt});
  }

  // `idle`: the keys that have no effect at this point.
  void look_at(const std::vector<Mistake>& idle) {
    std::erase_if(idle_, [&](Idle& key) {
      return std::ranges::any_of(key.paths, [&](const std::string& path) {
        const auto found = std::ranges::find_if(idle, [&](const Mistake& mistake) {
          return document_.meant_by(mistake.key) == std::vector{path};
        });
        if (found == idle.end()) return true;
        if (!key.why) key.why = *found;
        return false;
      });
    });
  }
  void report(Mistakes& mistakes) const {
    for (const Idle& key : idle_) {
      if (!key.why) continue;
      Mistake mistake = *key.why;
      mistake.message += ", nor has any other point";
      mistake.where = key.where;
      mistakes.add(std::move(mistake));
    }
  }

 private:
  struct Idle {
    std::vector<std::string> paths;
    std::string where;
    std::optional<Mistake> why;  // where it was found first
  };
  const Document& document_;
  std::vector<Idle> idle_;
};

// Finds points with equal specs: they differ only in swept keys that have no effect there, such as the
// parameters of a scheme that they do not choose.
class Repeats {
 public:
  // `points` points have this content (stored_point.h) and differ in their seed; the first has this one, and
  // these parameters.
  void look_at(std::uint64_t content, std::uint64_t seed, const Params& params, std::size_t points) {
    const auto [first, fresh] = first_.emplace(hash_of(fmt::format("{}", seed), content), params);
    if (fresh) return;
    if (repeats_ == 0)
      example_ = fmt::format("{} repeats {}", params_text(params), params_text(first->second));
    repeats_ += points;
  }
  std::string text(std::size_t points) const {
    if (repeats_ == 0) return "";
    return fmt::format(
        "{} of {} points repeat the run of another point, because what they sweep has no effect "
        "there: {}",
        repeats_, points, example_);
  }

 private:
  std::unordered_map<std::uint64_t, Params> first_;  // by the hash of the spec
  std::size_t repeats_ = 0;
  std::string example_;
};

// Checks that the seeds of all repetitions are valid seeds.
void check_seeds(const SpecFile& file, Mistakes& mistakes) {
  constexpr auto kMost = static_cast<std::uint64_t>(limits::kSeed);
  const auto more = static_cast<std::uint64_t>(file.seeds - 1);
  if (seed_of(file.spec) > kMost - more)
    mistakes.add("seed",
                 fmt::format("{} is too large for {} seeds: each seed is one more than the previous one",
                             seed_of(file.spec), file.seeds),
                 fmt::format("at most {}", kMost - more));
}

// The metrics that each row of a table has.
void add_metrics_of(std::span<const std::string> rows, std::string_view table,
                    std::vector<std::string>& names) {
  for (const Metric& column : find_table(table)->columns)
    if (column.unit != kName)
      for (const std::string& row : rows) names.push_back(metric_of_row(row, column.name));
}

// The metrics that each of several flows has, and each job.
std::vector<std::string> metrics_of_flows(const EventSpec& spec) {
  std::vector<std::string> names;
  const std::vector<std::string> flows = flow_names_in_results(spec);
  if (flows.size() > 1) add_metrics_of(flows, "per_flow", names);
  add_metrics_of(std::span(flows).last(spec.traffic.jobs.size()), "per_job", names);
  return names;
}

// Checks that the metric whose interval decides exists, and that it has an interval.
void check_until(const SpecFile& file, Mistakes& mistakes) {
  if (!file.until) return;
  const auto* const spec = std::get_if<EventSpec>(&file.spec);
  const std::vector<std::string> of_flows =
      spec != nullptr ? metrics_of_flows(*spec) : std::vector<std::string>{};
  const bool is_of_flow = file.until->metric.find('.') != std::string::npos;
  const Metric* const found = find_metric(file.until->metric);
  if (found != nullptr &&
      (!is_of_flow || std::ranges::find(of_flows, file.until->metric) != of_flows.end())) {
    if (!found->is_mean())
      mistakes.add("seeds.until",
                   fmt::format("\"{}\" has no interval: over several seeds, it is {}", file.until->metric,
                               meaning_of(found->over_seeds)),
                   "a metric that is a mean, such as \"accepted_load\"");
    return;
  }
  std::vector<std::string_view> names(of_flows.begin(), of_flows.end());
  for (const Metric& metric : all_metrics())
    if (metric.table.empty()) names.push_back(metric.name);
  const auto meant = nearest(file.until->metric, names);
  mistakes.add(
      "seeds.until", fmt::format("there is no metric \"{}\"", file.until->metric),
      meant ? fmt::format("did you mean \"{}\"?", *meant) : "docs/metrics.md lists the metrics of runs");
}

// Returns true if the sources of some flow depend on the seed.
bool draws_sources(const Document& document) {
  if (const auto* table = document.get<Document::Table>())
    return std::ranges::any_of(*table, [](const Document::Member& member) {
      return member.name == "random" || draws_sources(member.value);
    });
  const auto* list = document.get<Document::Array>();
  return list != nullptr && std::ranges::any_of(*list, draws_sources);
}

// The axis that sets only the seed, if there is one and all its values are valid. Points that differ only in
// the seed then need one check, which matters because a sweep can have a million seeds.
std::optional<std::size_t> axis_of_seeds(const SweepAxes& axes, const Document& document) {
  // the repetitions of a point take the seeds after its own
  constexpr auto kMost = static_cast<std::int64_t>(limits::kSeed) / 2;
  const std::vector<SweepAxis>& list = axes.list();
  const auto is_seed = [](const SweepAxis& axis) {
    return axis.keys.size() == 1 && axis.keys[0].name == "seed";
  };
  const auto axis = std::ranges::find_if(list, is_seed);
  const auto good = [](const std::vector<Document>& row) {
    const auto* seed = row[0].get<std::int64_t>();
    return seed != nullptr && *seed >= 0 && *seed <= kMost;
  };
  if (axis == list.end() || !std::ranges::all_of(axis->rows, good) || draws_sources(document) ||
      draws_sources(axes.table()))
    return std::nullopt;
  for (const SweepAxis& other : list)
    for (const SweepAxis::Key& key : other.keys)
      if (key.name.ends_with("random")) return std::nullopt;
  return static_cast<std::size_t>(axis - list.begin());
}

// Orders the mistakes of a file by line: "my.toml:10:2" follows "my.toml:9:1".
bool before(const Mistake& a, const Mistake& b) {
  const auto position = [](const Mistake& mistake) {
    std::tuple<std::string, int, int> result{mistake.where, 0, 0};
    const std::size_t column = mistake.where.rfind(':');
    const std::size_t line =
        column == std::string::npos || column == 0 ? column : mistake.where.rfind(':', column - 1);
    if (line == std::string::npos) return result;
    std::get<0>(result).resize(line);
    std::from_chars(&mistake.where[line] + 1, &mistake.where[column], std::get<1>(result));
    std::from_chars(&mistake.where[column] + 1, mistake.where.data() + mistake.where.size(),
                    std::get<2>(result));
    return result;
  };
  return position(a) < position(b);
}

// Checks the points of a sweep one after the other.
class Loader {
 public:
  Loader(Document document, const std::vector<Override>& overrides, const LoadOptions& options,
         Purpose purpose, std::uint64_t most_graphs)
      : cancelled_(options.cancelled),
        purpose_(purpose),
        graphs_left_(most_graphs),
        sweep_(std::make_shared<SweptSpec>(options.files)) {
    experiment_.files = options.files;
    experiment_.memo = options.memo ? options.memo : std::make_shared<Memo>();
    std::vector<Override> set, swept;
    for (Override change : overrides) {  // in order, because a later override replaces an earlier one
      const std::vector<std::string> meant = document.meant_by(change.key);
      const auto same = [&](const Override& other) { return document.meant_by(other.key) == meant; };
      std::erase_if(set, same);
      std::erase_if(swept, same);
      if (is_sweep(change, document)) {
        swept.push_back(std::move(change));
        continue;
      }
      apply({change}, document, mistakes_);
      set.push_back(std::move(change));
    }
    const auto units = replace_units(document, mistakes_);
    before_reading_ = mistakes_.list();
    sweep_->axes = SweepAxes(document, mistakes_);
    for (Override& change : swept) {
      if (units) replace_units(change.value, change.key, *units, mistakes_);
      sweep_->axes.sweep(change.key, change.value, document, mistakes_);
    }
    replace_swept(set, document, sweep_->axes, mistakes_);
    for (const std::string& key : sweep_->axes.keys()) sweep_->swept.push_back(document.with_indices(key));
    // A choice that replaces that of the file leaves the parameters of the file's choice without effect, as
    // in a sweep.
    for (const Override& change : set) sweep_->swept.push_back(document.with_indices(change.key));
    if (!sweep_->axes.points())
      mistakes_.add({"sweep", fmt::format("has more than {} points", SweepAxes::kMostPoints),
                     "use several files, each with a part of it", document.place_of("sweep")});
    std::erase_if(std::get<Document::Table>(document.value),
                  [](const Document::Member& member) { return member.name == "sweep"; });
    sweep_->document = std::move(document);
    for (const Override& change : set) idle_.watch(change.key, change.value.where);
    for (const SweepAxis& axis : sweep_->axes.list())
      for (const SweepAxis::Key& key : axis.keys) idle_.watch(key.name, key.where);
    seeds_ = axis_of_seeds(sweep_->axes, sweep_->document);
    if (seeds_) alike_ = sweep_->axes.list()[*seeds_].rows.size();
  }

  Experiment load() {
    const CancelScope scope(cancelled_);
    const std::size_t points = sweep_->axes.points().value_or(1);
    for (std::size_t number = 0; number < points; ++number) {
      const std::size_t checked = seeds_ ? sweep_->axes.with_first_row(*seeds_, number) : number;
      experiment_.points.push_back(checked == number ? check_point(number)
                                                     : with_other_seed(experiment_.points[checked], number));
    }
    report(points);
    experiment_.repeats = visible(repeats_.text(points));
    experiment_.document = agreement_.result(&sweep_->document);
    experiment_.document.set("seeds", written_seeds(experiment_.seeds, experiment_.until));
    if (!sweep_->axes.empty()) experiment_.document.set("sweep", sweep_->axes.table());
    return std::move(experiment_);
  }

 private:
  Point point(std::size_t number, std::uint64_t seed, std::optional<StoredPoint> stored, const RunWork& work,
              const MemoryNeed& need) const {
    const auto make = [sweep = std::shared_ptr<const SweptSpec>(sweep_), number] {
      return sweep->spec(number);
    };
    return {sweep_->axes.params(number), seed, make, stored, work, need};
  }

  // For a point that differs from a checked one only in its seed.
  Point with_other_seed(const Point& checked, std::size_t number) const {
    const Document& seed = sweep_->axes.list()[*seeds_].rows[sweep_->axes.row(*seeds_, number)][0];
    return point(number, static_cast<std::uint64_t>(*seed.get<std::int64_t>()), checked.stored, checked.work,
                 checked.need);
  }

  // Reads and checks a point and collects its mistakes.
  Point check_point(std::size_t number) {
    poll_cancel();
    const Params params = sweep_->axes.params(number);
    Document of_point = sweep_->document;
    sweep_->axes.set(number, of_point, [&](const SweepAxis::Key& key, std::string problem) {
      is_misread_ = true;
      found_.add({key.name, std::move(problem), "", key.where}, params, alike_);
    });
    Mistakes mistakes;
    const SpecFile file = read_spec(of_point, mistakes, sweep_->swept, sweep_->files);
    std::erase_if(mistakes.list(), [&](const Mistake& mistake) {
      return std::ranges::find(before_reading_, mistake.key, &Mistake::key) != before_reading_.end();
    });
    std::vector<Mistake> unread = before_reading_;
    unread.insert(unread.end(), mistakes.list().begin(), mistakes.list().end());
    is_misread_ |= !unread.empty();
    Document written = resolved(file.spec);
    const bool has_mistakes = is_misread_ || !mistakes_.empty();
    const Plan plan = headway::plan(file.spec, written,
                                    {.memo = *experiment_.memo,
                                     .cancelled = cancelled_,
                                     .purpose = purpose_,
                                     .graphs_left = &graphs_left_,
                                     .has_mistakes = has_mistakes,
                                     .unread = unread});
    mistakes.add_all(plan.mistakes.list());
    if (unread.empty()) {
      check_seeds(file, mistakes);
      check_until(file, mistakes);
    }
    const bool valid = unread.empty() && mistakes.empty();
    for (Mistake& mistake : mistakes.list()) {
      if (mistake.where.empty()) mistake.where = of_point.place_of(mistake.key);
      found_.add(std::move(mistake), params, alike_);
    }
    RunWork work;
    if (valid && !has_mistakes) work = estimate(file.spec, plan, number);
    experiment_.need.include(plan.need);
    experiment_.seeds = static_cast<int>(file.seeds);
    experiment_.until = file.until;
    idle_.look_at(file.idle);
    agree_on(written, number);
    const std::uint64_t seed = seed_of(file.spec);
    std::optional<StoredPoint> stored;
    if (valid && !sweep_->files.any()) stored = stored_point(file.spec, work, std::move(written));
    repeats_.look_at(stored ? stored->content : content_of(std::move(written)), seed, params, alike_);
    return point(number, seed, stored, work, plan.need);
  }

  // Returns the work of a run, and notes what may not be meant. Neither plan nor experiment has mistakes, so
  // the plan is complete.
  RunWork estimate(const Spec& spec, const Plan& plan, std::size_t number) {
    if (const Kernel* const other = other_kernel(spec)) return {.hops = other->hops()};
    const auto& event = std::get<EventSpec>(spec);
    experiment_.whole &= plan.graph != nullptr;
    if (experiment_.short_packets.empty())
      experiment_.short_packets = visible(note_of_short_packets(event, /*traces=*/number == 0));
    if (plan.graph && experiment_.hot_spot.empty()) experiment_.hot_spot = note_of_hot_spot(event, plan);
    return work_of(event, plan);
  }

  // Adds a resolved spec to the common part. Points that differ only in the seed are not read; the first
  // point with a second seed represents them.
  void agree_on(const Document& written, std::size_t number) {
    agreement_.add(written);
    if (alike_ == 1 || number > 0) return;
    Document another = written;
    another.set("seed", sweep_->axes.list()[*seeds_].rows[1][0]);
    agreement_.add(another);
  }

  void report(std::size_t points) {
    found_.report(points, mistakes_);
    idle_.report(mistakes_);
    std::ranges::stable_sort(mistakes_.list(), before);
    mistakes_.throw_if_any();
  }

  CancelFlag cancelled_;
  Purpose purpose_;
  std::uint64_t graphs_left_;  // bytes
  Mistakes mistakes_;
  std::vector<Mistake> before_reading_;
  std::shared_ptr<SweptSpec> sweep_;
  std::optional<std::size_t> seeds_;  // the axis of seeds; null if there is none
  std::size_t alike_ = 1;             // number of points that differ only in the seed
  PointMistakes found_;
  bool is_misread_ = false;  // some point could not be read
  IdleKeys idle_{sweep_->document};
  Repeats repeats_;
  Agreement agreement_;
  Experiment experiment_;
};

}  // namespace

Experiment load_experiment(Document document, const std::vector<Override>& overrides,
                           const LoadOptions& options) {
  return Loader(std::move(document), overrides, options, Purpose::read, UINT64_MAX).load();
}

Experiment check_experiment(Document document, const std::vector<Override>& overrides,
                            const LoadOptions& options) {
  return Loader(std::move(document), overrides, options, options.purpose, kMostCheckedGraphs).load();
}

}  // namespace headway
