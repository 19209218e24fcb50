// SPDX-License-Identifier: Apache-2.0
#include "headway/spec/sweep_axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "headway/spec/sweep_range.h"

namespace headway {
namespace {

// "obqa", 4, { first = 3 } as shown in a table of results.
std::string plain_text(const Document& value) {
  const auto* text = value.get<std::string>();
  return text != nullptr ? *text : to_text(value);
}

// Keeps one of several equal rows. Calls `repeated` once per value with the second row, so that a list of
// thousands is reported in a few lines.
void drop_repeated(SweepAxis& axis, const std::function<void(const std::vector<Document>&)>& repeated) {
  std::unordered_map<std::string, int> times;
  std::erase_if(axis.rows, [&](const std::vector<Document>& row) {
    const int earlier = times[to_text(Document(row))]++;
    if (earlier == 1) repeated(row);
    return earlier > 0;
  });
}

// Keys and results of all points name the flows and traces.
bool is_name_of_flow(const std::string& path) {
  return (path.starts_with("traffic.flow") || path.starts_with("traffic.trace")) && path.ends_with(".name");
}

class SweepReader {
 public:
  SweepReader(const Document& document, Mistakes& mistakes) : document_(document), mistakes_(mistakes) {}

  // The axis of a single key; none if it has a mistake.
  std::optional<SweepAxis> read_key(const std::string& key, const Document& values) {
    add_alone(key, {key, values.where, values});
    if (axes_.empty()) return std::nullopt;
    return std::move(axes_.back());
  }

  std::vector<SweepAxis> read(const Document& sweep) {
    if (sweep.get<Document::Table>() == nullptr) {
      mistakes_.add({"sweep", "must be a table", "write [sweep] and below it \"switch.queues\" = [1, 2, 4]",
                     sweep.where});
      return {};
    }
    for (const Document::Member& member : std::get<Document::Table>(sweep.value)) {
      if (member.name == "zip") continue;  // read last
      for_each_key(member, "",
                   [&](const std::string& key, const Document::Member& swept) { add_alone(key, swept); });
    }
    if (const Document* zip = sweep.member("zip")) read_zip(*zip);
    return std::move(axes_);
  }

 private:
  // Calls visit(key, member) for every list or range. TOML reads the dots of a key without quotes as tables.
  template <class Visit>
  static void for_each_key(const Document::Member& member, const std::string& path, const Visit& visit) {
    const std::string key = path + member.name;
    const auto* table = member.value.get<Document::Table>();
    if (table == nullptr || is_range(member.value)) return visit(key, member);
    for (const Document::Member& inner : *table) for_each_key(inner, key + '.', visit);
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
      SweepAxis axis;
      for (const Document::Member& member : std::get<Document::Table>(table.value))
        for_each_key(member, "", [&](const std::string& key, const Document::Member& swept) {
          add_key(key, swept, axis);
        });
      add(std::move(axis));
    }
  }

  void add_alone(const std::string& key, const Document::Member& swept) {
    SweepAxis axis;
    add_key(key, swept, axis);
    add(std::move(axis));
  }
  // Lets the key advance together with those of the axis.
  void add_key(const std::string& key, const Document::Member& swept, SweepAxis& axis) {
    const auto values = values_of(key, swept.value);
    if (!values) return;
    if (axis.keys.empty()) axis.rows.resize(values->size());
    if (values->size() != axis.rows.size())
      return mistakes_.add({"sweep.zip." + key,
                            fmt::format("has {} values, but {} has {}", values->size(),
                                        axis.keys.front().name, axis.rows.size()),
                            "lists that advance together must have the same length", swept.value.where});
    axis.keys.push_back({key, swept.where});
    for (std::size_t row = 0; row < axis.rows.size(); ++row) axis.rows[row].push_back((*values)[row]);
  }

  std::optional<Document::Array> values_of(const std::string& key, const Document& node) {
    if (is_range(node)) {
      Document::Array values = range_values(key, node, SweepAxes::kMostPoints, mistakes_);
      return values.empty() ? std::nullopt : std::optional(std::move(values));
    }
    const auto* values = node.get<Document::Array>();
    if (values != nullptr && !values->empty()) return *values;
    if (values != nullptr)
      mistakes_.add(
          {"sweep." + key, "has no values", "omit the key, or write at least one value", node.where});
    else
      mistakes_.add({"sweep." + key,
                     fmt::format("must be a list or a range of values, not {}", to_text(node)),
                     fmt::format("write [{}, ...] or {{ from = ..., to = ..., step = ... }}", to_text(node)),
                     node.where});
    return std::nullopt;
  }

  void add(SweepAxis axis) {
    if (axis.keys.empty()) return;
    for (const SweepAxis::Key& key : axis.keys) {
      std::vector<std::string> meant = document_.meant_by(key.name);
      if (key.name == "seeds" || key.name == "sweep" || key.name == "kernel" ||
          std::ranges::any_of(meant, is_name_of_flow))
        mistakes_.add({"sweep." + key.name, "cannot be swept", "", key.where});
      if (meant.empty()) meant = {key.name};  // not a key: setting it reports the mistake
      if (std::ranges::find(swept_, meant) != swept_.end())
        mistakes_.add({"sweep." + key.name, "is swept twice", "write one list per key", key.where});
      swept_.push_back(std::move(meant));
    }
    drop_repeated(axis, [&](const std::vector<Document>& row) {
      mistakes_.add({"sweep." + axis.keys.front().name,
                     fmt::format("contains {} twice", plain_text(row.front())), "", row.front().where});
    });
    axes_.push_back(std::move(axis));
  }

  const Document& document_;
  Mistakes& mistakes_;
  std::vector<SweepAxis> axes_;
  std::vector<std::vector<std::string>> swept_;  // paths that the keys mean
};

}  // namespace

std::vector<std::string> short_keys(const Params& params) {
  const auto last = [](std::string_view key) { return key.substr(key.rfind('.') + 1); };
  std::vector<std::string> keys;
  for (const auto& [key, value] : params) {
    const std::string_view name = last(key);
    const auto same =
        std::ranges::count_if(params, [&](const auto& other) { return last(other.first) == name; });
    const bool is_other_seed = name == "seed" && key != "seed";
    keys.emplace_back(same > 1 || is_other_seed ? std::string_view(key) : name);
  }
  return keys;
}

std::string params_text(const Params& params) {
  std::string text;
  for (const auto& [key, value] : params) text += (text.empty() ? "" : ", ") + key + " = " + value;
  return text;
}

SweepAxes::SweepAxes(const Document& document, Mistakes& mistakes) {
  if (const Document* sweep = document.member("sweep")) axes_ = SweepReader(document, mistakes).read(*sweep);
}

void SweepAxes::sweep(const std::string& key, const Document& values, const Document& document,
                      Mistakes& mistakes) {
  const std::vector<std::string> meant = document.meant_by(key);
  auto axis = SweepReader(document, mistakes).read_key(key, values);
  if (!axis) return;
  const auto same = [&](const SweepAxis& other) {
    return other.keys.size() == 1 && document.meant_by(other.keys[0].name) == meant;
  };
  if (const auto there = std::ranges::find_if(axes_, same); there != axes_.end()) {
    *there = std::move(*axis);
    return;
  }
  drop([&](const SweepAxis::Key& other) {
    return std::ranges::all_of(document.meant_by(other.name), [&](const std::string& path) {
      return std::ranges::find(meant, path) != meant.end();
    });
  });
  axes_.push_back(std::move(*axis));
}

std::vector<std::string> SweepAxes::keys() const {
  std::vector<std::string> names;
  for (const SweepAxis& axis : axes_)
    for (const SweepAxis::Key& key : axis.keys) names.push_back(key.name);
  return names;
}

void SweepAxes::drop(const std::function<bool(const SweepAxis::Key&)>& is_set) {
  for (SweepAxis& axis : axes_)
    for (std::size_t key = axis.keys.size(); key-- > 0;) {
      if (!is_set(axis.keys[key])) continue;
      axis.keys.erase(axis.keys.begin() + static_cast<std::ptrdiff_t>(key));
      for (auto& row : axis.rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(key));
    }
  std::erase_if(axes_, [](const SweepAxis& axis) { return axis.keys.empty(); });
  // rows that differed only in a dropped key are now one point
  for (SweepAxis& axis : axes_) drop_repeated(axis, [](const std::vector<Document>&) {});
}

std::optional<std::size_t> SweepAxes::points() const {
  std::size_t points = 1;
  for (const SweepAxis& axis : axes_) {
    points *= axis.rows.size();
    if (points > kMostPoints) return std::nullopt;
  }
  return points;
}

// The number of consecutive points with the same row of an axis.
std::size_t SweepAxes::stride(std::size_t axis) const {
  std::size_t points = 1;
  for (std::size_t faster = axes_.size() - 1; faster > axis; --faster) points *= axes_[faster].rows.size();
  return points;
}

std::size_t SweepAxes::row(std::size_t axis, std::size_t point) const {
  return point / stride(axis) % axes_[axis].rows.size();
}

std::size_t SweepAxes::with_first_row(std::size_t axis, std::size_t point) const {
  return point - row(axis, point) * stride(axis);
}

template <class Visit>
void SweepAxes::for_each(std::size_t point, Visit&& visit) const {
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
    const std::vector<Document>& values = axes_[axis].rows[row(axis, point)];
    for (std::size_t key = 0; key < axes_[axis].keys.size(); ++key) visit(axes_[axis].keys[key], values[key]);
  }
}

Params SweepAxes::params(std::size_t point) const {
  Params params;
  for_each(point, [&](const SweepAxis::Key& key, const Document& value) {
    params.emplace_back(key.name, plain_text(value));
  });
  return params;
}

void SweepAxes::set(std::size_t point, Document& document,
                    const std::function<void(const SweepAxis::Key&, std::string problem)>& refused) const {
  for_each(point, [&](const SweepAxis::Key& key, const Document& value) {
    if (auto problem = document.set(key.name, value)) refused(key, std::move(*problem));
  });
}

Document SweepAxes::table() const {
  Document::Table sweep;
  Document::Array zips;
  for (const SweepAxis& axis : axes_) {
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

}  // namespace headway
