// SPDX-License-Identifier: Apache-2.0
#include "headway/queueing/user_table.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "headway/base/npy.h"
#include "headway/config/nearest.h"
#include "headway/config/parameter_values.h"
#include "headway/config/row_reader.h"

namespace headway {
namespace {

std::string too_many() {
  return "more than " + std::to_string(kMostCombinations) + " combinations in this network";
}

std::string range_of(const TableForm& form) {
  return std::string(form.value) + "s 0 to " + std::to_string(form.most);
}

// Returns why a table of such values cannot have these coordinates in this network, and a hint; nullopt if it
// can.
std::optional<std::pair<std::string, std::string>> fault_of(const std::vector<Coordinate>& coordinates,
                                                            std::string_view value, const Graph& graph) {
  const auto has = [&](Coordinate c) { return std::ranges::find(coordinates, c) != coordinates.end(); };
  if (coordinates.empty())
    return std::pair{"a " + std::string(value) + " must depend on something",
                     std::string("the header names a column for it")};
  if (has(Coordinate::of_switch) && has(Coordinate::stage))
    return std::pair{std::string("the stage is that of the switch, so only one of them can be given"),
                     std::string("switch")};
  if (has(Coordinate::stage) && graph.stages() == 0)
    return std::pair{std::string("this network has no stages: it is ") + std::string(kind_of(graph.shape())),
                     std::string("switch")};
  return std::nullopt;
}

// Reads rows of text. A '*' stands for all values without a row of their own: rows with fewer '*' take
// precedence. Rows with '*' in the same columns form a layer.
class TableRows {
 public:
  TableRows(const Graph& graph, RowReader& rows, const TableForm& form)
      : graph_(graph), rows_(rows), form_(form) {}

  std::optional<UserTable> read() {
    if (!read_header()) return std::nullopt;
    layers_.resize(std::size_t{1} << dimensions_->count());
    while (rows_.next()) read_row();
    if (rows_.any_wrong()) return std::nullopt;
    std::vector<std::uint32_t> values = resolve();
    if (rows_.any_wrong()) return std::nullopt;
    return UserTable{std::move(*dimensions_), std::move(values), highest_};
  }

 private:
  struct Cell {
    std::uint32_t value = 0;
    std::uint32_t line = 0;  // 0: there is no row
  };
  using Range = std::pair<std::uint32_t, std::uint32_t>;

  bool read_header() {
    if (!rows_.next()) {
      rows_.wrong("there is no header", header_hint());
      return false;
    }
    std::vector<Coordinate> coordinates;
    for (std::size_t column = 0; column < rows_.words().size(); ++column) {
      const std::string_view word = rows_.words()[column];
      if (std::ranges::count(rows_.words(), word) > 1) {
        if (std::ranges::find(rows_.words(), word) - rows_.words().begin() ==
            static_cast<std::ptrdiff_t>(column))
          rows_.wrong("column \"" + std::string(word) + "\" is given more than once");
      } else if (word == form_.value) {
        value_column_ = column;
      } else if (const auto coordinate = value_of<Coordinate>(word);
                 coordinate && std::ranges::count(form_.columns, *coordinate) > 0) {
        coordinates.push_back(*coordinate);
        columns_.push_back(column);
      } else {
        const auto meant = nearest(word, column_names());
        rows_.wrong("there is no column \"" + std::string(word) + "\"",
                    meant ? "did you mean \"" + std::string(*meant) + "\"?" : header_hint());
      }
    }
    if (rows_.any_wrong()) return false;
    if (!value_column_)
      rows_.wrong("the header has no column \"" + std::string(form_.value) + '"', header_hint());
    if (const auto fault = fault_of(coordinates, form_.value, graph_))
      rows_.wrong(fault->first, fault->second);
    if (rows_.any_wrong()) return false;
    dimensions_.emplace(graph_, std::move(coordinates), form_.services);
    if (dimensions_->combinations() > kMostCombinations)
      rows_.wrong("these columns have " + too_many(), "use fewer columns");
    return !rows_.any_wrong();
  }

  void read_row() {
    const auto& words = rows_.words();
    if (words.size() != columns_.size() + 1)
      return rows_.wrong("this row has " + std::to_string(words.size()) + " columns, and the header has " +
                         std::to_string(columns_.size() + 1));
    const auto value = number(words[*value_column_]);
    std::vector<Range> ranges(columns_.size());
    std::uint32_t stars = 0;
    bool known = value.has_value();
    for (std::size_t d = 0; d < columns_.size(); ++d) {
      const std::string_view word = words[columns_[d]];
      const NumberedNames& members = dimensions_->members(d);
      if (word == "*") {
        stars |= 1U << d;
      } else if (const auto range = members.find(word)) {
        ranges[d] = *range;
      } else {
        rows_.wrong(members.no_such(word), members.hint(word));
        known = false;
      }
    }
    if (known) fill(stars, ranges, *value);
  }

  std::optional<std::uint32_t> number(std::string_view word) {
    const auto value = whole_number(word);
    if (value && *value <= form_.most) {
      highest_ = std::max(highest_, *value);
      return value;
    }
    rows_.wrong("there is no " + std::string(form_.value) + " \"" + std::string(word) + '"', range_of(form_));
    return std::nullopt;
  }

  // The number of a combination in its layer, which omits the dimensions with a '*'.
  std::size_t index(std::uint32_t stars, const Values& values) const {
    std::size_t number = 0;
    for (std::size_t d = 0; d < values.size(); ++d)
      if ((stars >> d & 1) == 0) number = number * dimensions_->size(d) + values[d];
    return number;
  }

  void fill(std::uint32_t stars, const std::vector<Range>& ranges, std::uint32_t value) {
    std::vector<Cell>& layer = layers_[stars];
    if (layer.empty()) {
      std::size_t cells = 1;
      for (std::size_t d = 0; d < ranges.size(); ++d)
        if ((stars >> d & 1) == 0) cells *= dimensions_->size(d);
      layer.resize(cells);
    }
    Values values(ranges.size());
    for (std::size_t d = 0; d < ranges.size(); ++d) values[d] = ranges[d].first;
    for (;;) {
      Cell& cell = layer[index(stars, values)];
      if (cell.line != 0)
        return rows_.wrong("there is another row for this combination", "see " + rows_.place(cell.line));
      cell = {value, rows_.line()};
      std::size_t d = ranges.size();
      while (d > 0) {
        --d;
        if (++values[d] <= ranges[d].second) break;
        values[d] = ranges[d].first;
        if (d == 0) return;
      }
    }
  }

  // [combination] its value, from the row with the fewest '*'.
  std::vector<std::uint32_t> resolve() {
    std::vector<std::uint32_t> used;
    for (std::uint32_t stars = 0; stars < layers_.size(); ++stars)
      if (!layers_[stars].empty()) used.push_back(stars);
    std::ranges::stable_sort(used, {}, [](std::uint32_t stars) { return std::popcount(stars); });
    std::vector<std::uint32_t> all;
    all.reserve(dimensions_->combinations());
    dimensions_->for_each([&](const Values& values) { all.push_back(value(used, values)); });
    return all;
  }

  std::uint32_t value(const std::vector<std::uint32_t>& used, const Values& values) {
    Cell found;
    int with_stars = 0;
    for (const std::uint32_t stars : used) {
      const Cell& cell = layers_[stars][index(stars, values)];
      if (cell.line == 0) continue;
      if (found.line == 0) {
        found = cell;
        with_stars = std::popcount(stars);
      } else if (with_stars == std::popcount(stars) && found.value != cell.value) {
        rows_.wrong_at(cell.line,
                       "this row and that of line " + std::to_string(found.line) + " are both for " +
                           dimensions_->text(values),
                       "a row with fewer * decides");
        return 0;
      } else {
        break;
      }
    }
    if (found.line == 0 && dimensions_->exists(values))
      rows_.wrong_at(0, "there is no " + std::string(form_.value) + " for " + dimensions_->text(values),
                     "a row with * applies to all values without a row of their own");
    return found.value;
  }

  std::vector<std::string_view> column_names() const {
    std::vector<std::string_view> names;
    for (const Coordinate coordinate : form_.columns) names.push_back(name_of(coordinate));
    names.push_back(form_.value);
    return names;
  }
  std::string header_hint() const { return "columns are " + list_text(column_names(), "and"); }

  const Graph& graph_;
  RowReader& rows_;
  const TableForm& form_;
  std::optional<Dimensions> dimensions_;
  std::vector<std::size_t> columns_;  // [dimension]
  std::optional<std::size_t> value_column_;
  std::uint32_t highest_ = 0;
  std::vector<std::vector<Cell>> layers_;  // [dimensions with a '*', as bits][combination of the others]
};

// Reads an array. Ignores elements for ports that do not exist.
class TableArray {
 public:
  TableArray(const Graph& graph, RowReader& rows, const TableForm& form, Mistakes& mistakes)
      : graph_(graph), content_(*rows.text()), rows_(rows), form_(form), mistakes_(mistakes) {}

  std::optional<UserTable> read() {
    NpyHeader header;
    try {
      header = read_npy(content_);
    } catch (const NpyError& error) {
      return wrong("is no NumPy array of integers: " + std::string(error.what()));
    }
    if (header.is_structured || !header.fields[0].type.is_integer())
      return wrong("its elements are not integers");
    const auto coordinates = coordinates_of(header);
    if (!coordinates) return std::nullopt;
    std::vector<std::uint64_t> sizes = header.shape;
    sizes.resize(coordinates->size());
    for (std::size_t d = 0; d < sizes.size(); ++d)
      if (const std::uint64_t most = most_of((*coordinates)[d]);
          most > 0 && (sizes[d] == 0 || sizes[d] > most))
        return wrong("its shape is " + header.shape_text(),
                     "1 to " + std::to_string(most) + ' ' + std::string(name_of((*coordinates)[d])) + "s");
    Dimensions dimensions(graph_, *coordinates, form_.services, sizes);
    if (dimensions.combinations() > kMostCombinations)
      return form_.by_key == nullptr ? wrong("has " + too_many(), "use fewer dimensions")
                                     : wrong_dimensions("has " + too_many(), "use fewer dimensions");
    NpyHeader needed;
    for (std::size_t d = 0; d < dimensions.count(); ++d) needed.shape.push_back(dimensions.size(d));
    if (header.shape != needed.shape)
      return wrong("its shape is " + header.shape_text(), needed.shape_text() + " in this network");
    return read_elements(header, std::move(dimensions));
  }

 private:
  std::optional<std::vector<Coordinate>> coordinates_of(const NpyHeader& header) {
    if (form_.by_key == nullptr) {
      std::string shapes;
      for (const auto& coordinates : form_.by_rank) {
        if (coordinates.size() == header.shape.size()) return coordinates;
        shapes += (shapes.empty() ? "by " : ", or by ") + list_text(names_of(coordinates), "and");
      }
      wrong("its shape is " + header.shape_text(), shapes);
      return std::nullopt;
    }
    std::vector<Coordinate> coordinates;
    for (const std::string& name : form_.by) coordinates.push_back(value_of<Coordinate>(name).value());
    if (form_.by.empty())
      wrong_dimensions("is needed for a NumPy array; it names the dimensions of the array",
                       "write for example by = [\"switch\", \"destination\"]");
    else if (const auto fault = fault_of(coordinates, form_.value, graph_))
      wrong_dimensions(fault->first, fault->second);
    else
      return coordinates;
    return std::nullopt;
  }

  static std::vector<std::string_view> names_of(const std::vector<Coordinate>& coordinates) {
    std::vector<std::string_view> names;
    for (const Coordinate coordinate : coordinates) names.push_back(name_of(coordinate));
    return names;
  }
  // The largest size of a dimension whose size does not follow from the network; otherwise 0.
  static std::uint64_t most_of(Coordinate coordinate) {
    return coordinate == Coordinate::service_level ? kMostServiceLevels
           : coordinate == Coordinate::hop         ? kMostHops
                                                   : 0;
  }

  std::optional<UserTable> read_elements(const NpyHeader& header, Dimensions dimensions) {
    UserTable table{std::move(dimensions), {}, 0};
    table.values.reserve(table.dimensions.combinations());
    const char* at = content_.data() + header.data;
    table.dimensions.for_each([&](const Values& values) {
      const std::optional<std::int64_t> value =
          header.fields[0].type.integer(std::exchange(at, at + header.element_bytes));
      const bool fits = value && *value >= 0 && *value <= form_.most;
      table.values.push_back(fits ? static_cast<std::uint32_t>(*value) : 0);
      if (fits) table.highest = std::max(table.highest, table.values.back());
      if (fits || !table.dimensions.exists(values)) return;
      wrong("there is no " + std::string(form_.value) + ' ' +
                (value ? std::to_string(*value) : "above 2^63") + ", which it has for " +
                table.dimensions.text(values),
            range_of(form_));
    });
    if (rows_.any_wrong()) return std::nullopt;
    return table;
  }

  std::nullopt_t wrong(std::string message, std::string hint = "") {
    rows_.wrong_at(0, std::move(message), std::move(hint));
    return std::nullopt;
  }
  std::nullopt_t wrong_dimensions(std::string message, std::string hint) {
    mistakes_.add(form_.by_key, std::move(message), std::move(hint));
    return std::nullopt;
  }

  const Graph& graph_;
  const std::string& content_;
  RowReader& rows_;
  const TableForm& form_;
  Mistakes& mistakes_;
};

}  // namespace

std::optional<UserTable> read_user_table(const Graph& graph, const InputFile& file, const TableForm& form,
                                         Mistakes& mistakes) {
  RowReader rows(file, form.file_key, mistakes);
  if (rows.text() == nullptr) return std::nullopt;
  const bool is_array = is_npy(*rows.text());
  if (!is_array && !form.by.empty()) {
    mistakes.add(form.by_key, "names the dimensions of a NumPy array, and the file is text",
                 "omit it: the header of the file names its columns");
    return std::nullopt;
  }
  std::optional<UserTable> table =
      is_array ? TableArray(graph, rows, form, mistakes).read() : TableRows(graph, rows, form).read();
  rows.finish();
  return table;
}

}  // namespace headway
