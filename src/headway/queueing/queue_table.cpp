// SPDX-License-Identifier: Apache-2.0
#include "headway/queueing/queue_table.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include "headway/base/npy.h"
#include "headway/base/paths.h"
#include "headway/config/nearest.h"
#include "headway/config/row_reader.h"
#include "headway/queueing/coordinates.h"

namespace headway {
namespace {

constexpr std::uint32_t kMostQueue = 0xfffe;  // its number
constexpr const char* kFileKey = "switch.file";
constexpr std::string_view kQueueColumn = "queue";

std::string too_many() {
  return "more than " + std::to_string(kMostCombinations) + " combinations in this network";
}

// Rows of text. A '*' is for all values that have no row of their own: rows with fewer of them go first.
// Rows with their '*' in the same columns form a layer.
class QueueRows {
 public:
  QueueRows(const Graph& graph, RowReader& rows, std::optional<std::uint32_t> queues)
      : graph_(graph), rows_(rows), queues_(queues) {}

  QueueMap read() {
    if (!read_header()) return {};
    layers_.resize(std::size_t{1} << dimensions_->count());
    while (rows_.next()) read_row();
    if (rows_.any_wrong()) return {};
    std::vector<std::uint32_t> queue_of = resolve();
    if (rows_.any_wrong()) return {};
    return dimensions_->map(std::move(queue_of), queues_.value_or(highest_ + 1));
  }

 private:
  struct Cell {
    std::uint32_t queue = 0;
    std::uint32_t line = 0;  // 0: there is no row
  };
  using Range = std::pair<std::uint32_t, std::uint32_t>;

  bool read_header() {
    if (!rows_.next()) {
      rows_.wrong("there is no header", kHeaderHint);
      return false;
    }
    std::vector<Coordinate> coordinates;
    for (std::size_t column = 0; column < rows_.words().size(); ++column) {
      const std::string_view word = rows_.words()[column];
      if (std::ranges::count(rows_.words(), word) > 1) {
        if (std::ranges::find(rows_.words(), word) - rows_.words().begin() ==
            static_cast<std::ptrdiff_t>(column))
          rows_.wrong("column \"" + std::string(word) + "\" is given more than once");
      } else if (word == kQueueColumn) {
        queue_column_ = column;
      } else if (const auto coordinate = value_of<Coordinate>(word)) {
        coordinates.push_back(*coordinate);
        columns_.push_back(column);
      } else {
        std::vector<std::string_view> known(std::begin(Names<Coordinate>::kList),
                                            std::end(Names<Coordinate>::kList));
        known.push_back(kQueueColumn);
        const auto meant = nearest(word, known);
        rows_.wrong("there is no column \"" + std::string(word) + "\"",
                    meant ? "did you mean \"" + std::string(*meant) + "\"?" : kHeaderHint);
      }
    }
    if (rows_.any_wrong()) return false;
    if (!queue_column_) rows_.wrong("the header has no column \"queue\"", kHeaderHint);
    if (const auto fault = fault_of(coordinates, graph_)) rows_.wrong(fault->first, fault->second);
    if (rows_.any_wrong()) return false;
    dimensions_ = std::make_unique<Dimensions>(graph_, std::move(coordinates));
    if (dimensions_->combinations() > kMostCombinations)
      rows_.wrong("these columns have " + too_many(), "use fewer columns");
    return !rows_.any_wrong();
  }

  void read_row() {
    const auto& words = rows_.words();
    if (words.size() != columns_.size() + 1)
      return rows_.wrong("this row has " + std::to_string(words.size()) + " columns, and the header has " +
                         std::to_string(columns_.size() + 1));
    const auto queue = queue_number(words[*queue_column_]);
    std::vector<Range> ranges(columns_.size());
    std::uint32_t stars = 0;
    bool known = queue.has_value();
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
    if (known) fill(stars, ranges, *queue);
  }

  std::optional<std::uint32_t> queue_number(std::string_view word) {
    const auto queue = whole_number(word);
    const std::uint32_t most = queues_ ? *queues_ - 1 : kMostQueue;
    if (queue && *queue <= most) {
      highest_ = std::max(highest_, *queue);
      return queue;
    }
    rows_.wrong("there is no queue \"" + std::string(word) + "\"", "queues 0 to " + std::to_string(most));
    return std::nullopt;
  }

  // The number of a combination in its layer, which has no dimensions with a '*'.
  std::size_t index(std::uint32_t stars, const Values& values) const {
    std::size_t number = 0;
    for (std::size_t d = 0; d < values.size(); ++d)
      if ((stars >> d & 1) == 0) number = number * dimensions_->size(d) + values[d];
    return number;
  }

  void fill(std::uint32_t stars, const std::vector<Range>& ranges, std::uint32_t queue) {
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
        return rows_.wrong("there is another row for this combination", "at " + rows_.place(cell.line));
      cell = {queue, rows_.line()};
      std::size_t d = ranges.size();
      while (d > 0) {
        --d;
        if (++values[d] <= ranges[d].second) break;
        values[d] = ranges[d].first;
        if (d == 0) return;
      }
    }
  }

  // [combination] its queue, from the row with the fewest '*'.
  std::vector<std::uint32_t> resolve() {
    std::vector<std::uint32_t> used;
    for (std::uint32_t stars = 0; stars < layers_.size(); ++stars)
      if (!layers_[stars].empty()) used.push_back(stars);
    std::ranges::stable_sort(used, {}, [](std::uint32_t stars) { return std::popcount(stars); });
    std::vector<std::uint32_t> queue_of;
    queue_of.reserve(dimensions_->combinations());
    dimensions_->for_each([&](const Values& values) { queue_of.push_back(queue(used, values)); });
    return queue_of;
  }

  std::uint32_t queue(const std::vector<std::uint32_t>& used, const Values& values) {
    Cell found;
    int with_stars = 0;
    for (const std::uint32_t stars : used) {
      const Cell& cell = layers_[stars][index(stars, values)];
      if (cell.line == 0) continue;
      if (found.line == 0) {
        found = cell;
        with_stars = std::popcount(stars);
      } else if (with_stars == std::popcount(stars) && found.queue != cell.queue) {
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
      rows_.wrong_at(0, "there is no queue for " + dimensions_->text(values),
                     "a row with * is for all that have no row of their own");
    return found.queue;
  }

  static constexpr const char* kHeaderHint =
      "columns are switch or stage, input, output, source, destination, and queue";

  const Graph& graph_;
  RowReader& rows_;
  std::optional<std::uint32_t> queues_;
  std::unique_ptr<Dimensions> dimensions_;
  std::vector<std::size_t> columns_;  // [dimension]
  std::optional<std::size_t> queue_column_;
  std::uint32_t highest_ = 0;
  std::vector<std::vector<Cell>> layers_;  // [dimensions with a '*', as bits][combination of the others]
};

// An array with a dimension per name in `by`. Elements for ports that do not exist are not looked at.
QueueMap read_array(const Graph& graph, const std::string& content, const std::string& file,
                    const std::vector<std::string>& by, std::optional<std::uint32_t> queues,
                    Mistakes& mistakes) {
  const auto wrong = [&](const char* key, std::string message, std::string hint = "") {
    Mistake mistake{key, std::move(message), std::move(hint), std::string(key) == kFileKey ? file : ""};
    mistakes.add(std::move(mistake));
    return QueueMap{};
  };
  std::vector<Coordinate> coordinates;
  for (const std::string& name : by) coordinates.push_back(value_of<Coordinate>(name).value());
  if (const auto fault = fault_of(coordinates, graph))
    return wrong("switch.by",
                 by.empty() ? "is needed for a NumPy array: what are its dimensions?" : fault->first,
                 by.empty() ? "by = [\"switch\", \"destination\"]" : fault->second);
  const Dimensions dimensions(graph, coordinates);
  if (dimensions.combinations() > kMostCombinations)
    return wrong("switch.by", "has " + too_many(), "use fewer dimensions");
  NpyHeader header;
  try {
    header = read_npy(content);
  } catch (const NpyError& error) {
    return wrong(kFileKey, "is no NumPy array of integers: " + std::string(error.what()));
  }
  if (header.is_structured || !header.fields[0].type.is_integer())
    return wrong(kFileKey, "its elements are not integers");
  NpyHeader needed;
  for (std::size_t d = 0; d < dimensions.count(); ++d) needed.shape.push_back(dimensions.size(d));
  if (header.shape != needed.shape)
    return wrong(kFileKey, "its shape is " + header.shape_text(), needed.shape_text() + " in this network");

  std::vector<std::uint32_t> queue_of;
  queue_of.reserve(dimensions.combinations());
  const std::int64_t most = queues ? std::int64_t{*queues} - 1 : kMostQueue;
  std::uint32_t highest = 0;
  std::size_t faults = 0;
  const char* at = content.data() + header.data;
  dimensions.for_each([&](const Values& values) {
    const std::optional<std::int64_t> queue =
        header.fields[0].type.integer(std::exchange(at, at + header.element_bytes));
    const bool fits = queue && *queue >= 0 && *queue <= most;
    queue_of.push_back(fits ? static_cast<std::uint32_t>(*queue) : 0);
    if (fits) highest = std::max(highest, queue_of.back());
    if (fits || !dimensions.exists(values) || ++faults > RowReader::kMostShown) return;
    wrong(kFileKey,
          "there is no queue " + (queue ? std::to_string(*queue) : "above 2^63") + ", which it has for " +
              dimensions.text(values),
          "queues 0 to " + std::to_string(most));
  });
  if (faults > RowReader::kMostShown)
    wrong(kFileKey, "and " + std::to_string(faults - RowReader::kMostShown) + " more mistakes in this file");
  return dimensions.map(std::move(queue_of), queues.value_or(highest + 1));
}

}  // namespace

QueueMap read_queue_table(const Graph& graph, const InputFile& file, const std::vector<std::string>& by,
                          std::optional<std::uint32_t> queues, Mistakes& mistakes) {
  RowReader rows(file, kFileKey, mistakes);
  if (rows.text() == nullptr) return {};
  if (is_npy(*rows.text()))
    return read_array(graph, *rows.text(), short_path(file.path()), by, queues, mistakes);
  if (!by.empty()) {
    mistakes.add("switch.by", "names the dimensions of a NumPy array, and the file is text",
                 "omit it: the header of the file names its columns");
    return {};
  }
  QueueMap map = QueueRows(graph, rows, queues).read();
  rows.finish();
  return map;
}

}  // namespace headway
