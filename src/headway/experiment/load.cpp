// SPDX-License-Identifier: Apache-2.0
#include "headway/experiment/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <tuple>
#include <utility>

#include "headway/base/error.h"
#include "headway/experiment/read_spec.h"
#include "headway/experiment/units_table.h"
#include "headway/experiment/write_spec.h"

namespace headway {
namespace {

constexpr std::size_t kMostPoints = 1'000'000;

// Keys that advance together, and their values row by row.
struct Axis {
  struct Key {
    std::string name;
    std::string where;
  };
  std::vector<Key> keys;
  std::vector<std::vector<Document>> rows;  // [row][key]
};

// "obqa", 4, { first = 3 } as they stand in a table of results.
std::string plain_text(const Document& value) {
  const auto* text = value.get<std::string>();
  return text != nullptr ? *text : to_text(value);
}

class SweepReader {
 public:
  explicit SweepReader(Mistakes& mistakes) : mistakes_(mistakes) {}

  std::vector<Axis> read(const Document& sweep, const std::vector<Override>& overrides) {
    if (sweep.get<Document::Table>() == nullptr) {
      mistakes_.add({"sweep", "must be a table", "write [sweep] and below it \"switch.queues\" = [1, 2, 4]",
                     sweep.where});
      return {};
    }
    read_table(sweep, "");
    if (const Document* zip = sweep.member("zip")) read_zip(*zip);
    for (Axis& axis : axes_) drop(axis, overrides);
    std::erase_if(axes_, [](const Axis& axis) { return axis.keys.empty(); });
    return std::move(axes_);
  }

 private:
  // Every list is an axis. Tables are what TOML makes of dotted keys without quotes: switch.queues = [1, 2].
  void read_table(const Document& table, const std::string& path) {
    for (const auto& member : std::get<Document::Table>(table.value)) {
      const std::string key = path + member.name;
      if (key == "zip") continue;  // read last
      if (member.value.get<Document::Table>() != nullptr) {
        read_table(member.value, key + '.');
      } else if (const auto* values = values_of(key, member.value)) {
        Axis axis{{{key, member.where}}, {}};
        for (const Document& value : *values) axis.rows.push_back({value});
        add(std::move(axis));
      }
    }
  }

  void read_zip(const Document& zip) {
    const Document::Array single{zip};
    const auto* array = zip.get<Document::Array>();
    for (const Document& table : array != nullptr ? *array : single) {
      if (table.get<Document::Table>() == nullptr) {
        mistakes_.add({"sweep.zip", "must be a table", "write [[sweep.zip]] and lists of equal length below",
                       table.where});
        continue;
      }
      Axis axis;
      read_zip_table(table, "", axis);
      if (!axis.keys.empty()) add(std::move(axis));
    }
  }

  void read_zip_table(const Document& table, const std::string& path, Axis& axis) {
    for (const auto& member : std::get<Document::Table>(table.value)) {
      const std::string key = path + member.name;
      if (member.value.get<Document::Table>() != nullptr) {
        read_zip_table(member.value, key + '.', axis);
        continue;
      }
      const auto* values = values_of(key, member.value);
      if (values == nullptr) continue;
      if (axis.keys.empty()) axis.rows.resize(values->size());
      if (values->size() != axis.rows.size()) {
        mistakes_.add({"sweep.zip." + key,
                       fmt::format("has {} values, but {} has {}", values->size(), axis.keys.front().name,
                                   axis.rows.size()),
                       "lists that advance together are of equal length", member.value.where});
        continue;
      }
      axis.keys.push_back({key, member.where});
      for (std::size_t row = 0; row < axis.rows.size(); ++row) axis.rows[row].push_back((*values)[row]);
    }
  }

  const Document::Array* values_of(const std::string& key, const Document& node) {
    const auto* values = node.get<Document::Array>();
    if (values == nullptr)
      mistakes_.add({"sweep." + key, fmt::format("must be a list of values, not {}", to_text(node)),
                     fmt::format("write [{}, ...]", to_text(node)), node.where});
    else if (values->empty())
      mistakes_.add(
          {"sweep." + key, "has no values", "leave the key out, or write one value at least", node.where});
    else
      return values;
    return nullptr;
  }

  void add(Axis axis) {
    for (const Axis::Key& key : axis.keys) {
      if (key.name == "seeds" || key.name == "sweep" || key.name == "kernel")
        mistakes_.add({"sweep." + key.name, "cannot be swept", "", key.where});
      for (const Axis& other : axes_)
        if (std::ranges::find(other.keys, key.name, &Axis::Key::name) != other.keys.end())
          mistakes_.add({"sweep." + key.name, "is swept twice", "one list per key", key.where});
    }
    for (std::size_t row = 1; row < axis.rows.size(); ++row)
      if (std::find(axis.rows.begin(), axis.rows.begin() + static_cast<std::ptrdiff_t>(row),
                    axis.rows[row]) != axis.rows.begin() + static_cast<std::ptrdiff_t>(row))
        mistakes_.add({"sweep." + axis.keys.front().name,
                       fmt::format("has {} twice", plain_text(axis.rows[row].front())), "",
                       axis.rows[row].front().where});
    axes_.push_back(std::move(axis));
  }

  static void drop(Axis& axis, const std::vector<Override>& overrides) {
    for (std::size_t key = axis.keys.size(); key-- > 0;) {
      if (std::ranges::find(overrides, axis.keys[key].name, &Override::key) == overrides.end()) continue;
      axis.keys.erase(axis.keys.begin() + static_cast<std::ptrdiff_t>(key));
      for (auto& row : axis.rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(key));
    }
  }

  Mistakes& mistakes_;
  std::vector<Axis> axes_;
};

// The mistakes of all points. One that not every point has says at which it was found first.
class PointMistakes {
 public:
  void add(const Mistake& mistake, const Point& point) {
    const auto same = std::ranges::find_if(found_, [&](const Found& other) {
      return other.mistake.key == mistake.key && other.mistake.message == mistake.message;
    });
    if (same == found_.end())
      found_.push_back({mistake, 1, point.params});
    else
      ++same->points;
  }
  void report(std::size_t points, Mistakes& mistakes) const {
    for (Found found : found_) {
      std::string at;
      for (const auto& [key, value] : found.params)
        if (key != found.mistake.key) at += fmt::format("{}{} = {}", at.empty() ? "" : ", ", key, value);
      if (found.points < points && !at.empty()) found.mistake.message += fmt::format(" (at {})", at);
      mistakes.add(std::move(found.mistake));
    }
  }

 private:
  struct Found {
    Mistake mistake;
    std::size_t points;
    std::vector<std::pair<std::string, std::string>> params;
  };
  std::vector<Found> found_;
};

// What all points agree on, and what `base` says about the rest: defaults of a member that only some points
// choose must not reach the others.
Document common(const Document* base, const std::vector<const Document*>& points) {
  const Document& first = *points.front();
  const auto all = [&](const auto& holds) {
    return std::ranges::all_of(points, [&](const Document* p) { return holds(*p); });
  };
  if (all([&](const Document& point) { return point == first; })) return first;
  if (all([](const Document& point) { return point.get<Document::Table>() != nullptr; })) {
    Document::Table result;
    const auto add = [&](const std::string& name) {
      if (std::ranges::find(result, name, &Document::Member::name) != result.end()) return;
      std::vector<const Document*> values;
      for (const Document* point : points) values.push_back(point->member(name));
      const Document* said = base != nullptr ? base->member(name) : nullptr;
      if (std::ranges::find(values, nullptr) != values.end()) {
        if (said != nullptr) result.push_back({name, "", *said});
        return;
      }
      result.push_back({name, "", common(said, values)});
    };
    for (const Document* point : points)
      for (const auto& member : std::get<Document::Table>(point->value)) add(member.name);
    if (base != nullptr && base->get<Document::Table>() != nullptr)
      for (const auto& member : std::get<Document::Table>(base->value)) add(member.name);
    return Document(std::move(result));
  }
  const auto* elements = first.get<Document::Array>();
  if (elements != nullptr && all([&](const Document& point) {
        const auto* others = point.get<Document::Array>();
        return others != nullptr && others->size() == elements->size();
      })) {
    Document::Array result;
    for (std::size_t i = 0; i < elements->size(); ++i) {
      std::vector<const Document*> values;
      for (const Document* point : points) values.push_back(&std::get<Document::Array>(point->value)[i]);
      const auto* said = base != nullptr ? base->get<Document::Array>() : nullptr;
      result.push_back(common(said != nullptr && i < said->size() ? &(*said)[i] : base, values));
    }
    return Document(std::move(result));
  }
  return base != nullptr ? *base : first;
}

// The axes as a [sweep] table.
Document sweep_of(const std::vector<Axis>& axes) {
  Document::Table sweep;
  Document::Array zips;
  for (const Axis& axis : axes) {
    Document::Table lists;
    for (std::size_t key = 0; key < axis.keys.size(); ++key) {
      Document::Array values;
      for (const auto& row : axis.rows) values.push_back(row[key]);
      lists.push_back({axis.keys[key].name, "", Document(std::move(values))});
    }
    if (lists.size() == 1)
      sweep.push_back(std::move(lists.front()));
    else
      zips.push_back(Document(std::move(lists)));
  }
  if (!zips.empty()) sweep.push_back({"zip", "", Document(std::move(zips))});
  return Document(std::move(sweep));
}

// Would correcting `cause`, which reading found, change what `check` says of `key`? After a mistake a default
// stands in.
bool echoes(const std::string& key, const std::string& cause) {
  if (cause.starts_with("network") || cause == "kernel" || cause == key) return true;
  if (key.ends_with("memory"))
    return cause == "switch.scheme" || cause == "switch.queues" || cause == "traffic.packet";
  return key.ends_with(".start") && cause.starts_with("measure");
}

// Mistakes of one file in its order; "my.toml:10:2" comes after "my.toml:9:1".
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

}  // namespace

Experiment load_experiment(Document document, const std::vector<Override>& overrides) {
  Mistakes mistakes;
  for (const Override& change : overrides)
    if (auto problem = document.set(change.key, change.value))
      mistakes.add({change.key, *problem, "", change.value.where});

  replace_units(document, mistakes);

  std::vector<Axis> axes;
  if (const Document* sweep = document.member("sweep")) axes = SweepReader(mistakes).read(*sweep, overrides);
  std::vector<std::string> swept;
  std::size_t points = 1;
  for (const Axis& axis : axes) {
    for (const Axis::Key& key : axis.keys) swept.push_back(key.name);
    points = points > kMostPoints ? points : points * axis.rows.size();
  }
  if (points > kMostPoints) {
    mistakes.add(
        {"sweep", fmt::format("has more than {} points", kMostPoints), "", document.place_of("sweep")});
    points = 1;
  }

  Experiment experiment;
  PointMistakes found;
  std::vector<Document> resolved_points;
  for (std::size_t number = 0; number < points; ++number) {
    Document point_document = document;
    Point point;
    std::size_t stride = points;
    for (const Axis& axis : axes) {
      stride /= axis.rows.size();
      const std::vector<Document>& row = axis.rows[number / stride % axis.rows.size()];
      for (std::size_t key = 0; key < axis.keys.size(); ++key) {
        point.params.emplace_back(axis.keys[key].name, plain_text(row[key]));
        if (auto problem = point_document.set(axis.keys[key].name, row[key]))
          found.add({axis.keys[key].name, *problem, "", axis.keys[key].where}, point);
      }
    }
    Mistakes of_point;
    SpecFile file = read_spec(point_document, swept, of_point);
    Mistakes of_check;
    check(file.spec, of_check);
    const std::vector<Mistake> causes = of_point.list();
    for (const Mistake& mistake : of_check.list())
      if (std::ranges::none_of(causes, [&](const Mistake& cause) { return echoes(mistake.key, cause.key); }))
        of_point.add(mistake);
    for (Mistake& mistake : of_point.list()) {
      if (mistake.where.empty()) mistake.where = point_document.place_of(mistake.key);
      found.add(mistake, point);
    }
    experiment.seeds = static_cast<int>(file.seeds);
    point.spec = std::move(file.spec);
    resolved_points.push_back(resolved(point.spec));
    experiment.points.push_back(std::move(point));
  }
  found.report(points, mistakes);
  std::ranges::stable_sort(mistakes.list(), before);
  mistakes.throw_if_any();

  std::vector<const Document*> resolved_pointers;
  for (const Document& point : resolved_points) resolved_pointers.push_back(&point);
  std::erase_if(std::get<Document::Table>(document.value),
                [](const Document::Member& member) { return member.name == "sweep"; });
  experiment.document = common(&document, resolved_pointers);
  experiment.document.set("seeds", Document(std::int64_t{experiment.seeds}));
  if (!axes.empty()) experiment.document.set("sweep", sweep_of(axes));
  return experiment;
}

}  // namespace headway
