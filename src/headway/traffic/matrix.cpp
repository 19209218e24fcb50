// SPDX-License-Identifier: Apache-2.0
// Weights from every source to every destination, from a file: a measured traffic matrix, or what an
// application sends. The weights of a row are relative: a source sends to its destinations in proportion to
// them. Choice: the diagonal counts, so a node sends to itself if its own weight is above 0, and a source
// without a weight above 0 sends nothing.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "headway/base/npy.h"
#include "headway/config/row_reader.h"
#include "headway/traffic/alias_table.h"
#include "headway/traffic/pattern.h"

namespace headway {
namespace {

enum class RowLoads { equal, by_rows };
constexpr auto names_in_specs(RowLoads) { return name_list("equal", "by-rows"); }

constexpr std::size_t kMostWeights = std::size_t{1} << 25;  // weights above 0; they take about a gigabyte

struct MatrixRow {
  std::vector<NodeId> destinations;
  std::vector<double> weights;  // above 0
};
using Matrix = std::vector<MatrixRow>;  // [source]

class MatrixDestinations final : public Destinations {
 public:
  MatrixDestinations(Matrix matrix, RowLoads loads) : matrix_(std::move(matrix)) {
    for (const MatrixRow& row : matrix_) {
      sums_.push_back(std::accumulate(row.weights.begin(), row.weights.end(), 0.0));
      tables_.emplace_back();
      if (!row.weights.empty()) tables_.back().emplace(row.weights);
    }
    if (loads == RowLoads::by_rows) largest_ = *std::ranges::max_element(sums_);
  }

  NodeId next(NodeId source, Rng& rng) const override {
    return tables_[source] ? matrix_[source].destinations[tables_[source]->next(rng)] : kNone;
  }
  void shares(NodeId source, const Visit& visit) const override {
    const MatrixRow& row = matrix_[source];
    for (std::size_t i = 0; i < row.weights.size(); ++i)
      visit(row.destinations[i], row.weights[i] / sums_[source]);
  }
  double load_of(NodeId source) const override {
    return largest_ > 0 && sums_[source] > 0 ? sums_[source] / largest_ : 1.0;
  }

 private:
  Matrix matrix_;
  std::vector<double> sums_;                       // [source]
  std::vector<std::optional<AliasTable>> tables_;  // [source]
  double largest_ = 0;                             // largest sum of a row; 0: all sources have the same load
};

// Reads text, of either form, or an array.
class MatrixReader {
 public:
  MatrixReader(const InputFile& file, std::uint32_t nodes, Mistakes& mistakes)
      : nodes_(nodes), rows_(file, "file", mistakes), matrix_(nodes) {}

  Matrix read() {
    if (rows_.text() == nullptr) return {};
    if (is_npy(*rows_.text()))
      read_array(*rows_.text());
    else if (!rows_.next())
      rows_.wrong_at(0, "is empty", kForms);
    else if (real_number(rows_.words()[0]))
      read_square();
    else
      read_list();
    if (!rows_.any_wrong() &&
        std::ranges::all_of(matrix_, [](const MatrixRow& row) { return row.weights.empty(); }))
      rows_.wrong_at(0, "no weight is above 0, so no node sends");
    rows_.finish();
    return rows_.any_wrong() ? Matrix{} : std::move(matrix_);
  }

 private:
  static constexpr const char* kForms =
      "give a row of weights for each source, or rows below the header \"source destination weight\"";

  // Returns false if it cannot be a weight. Reports too many weights.
  bool add(NodeId source, NodeId destination, double weight) {
    constexpr double kMost = 1e12;
    if (!(weight >= 0) || weight > kMost) return false;
    if (weight == 0) return true;
    if (++weights_ > kMostWeights) {
      if (weights_ == kMostWeights + 1)
        rows_.wrong(fmt::format("there are more than {} weights above 0", kMostWeights));
      return true;
    }
    matrix_[source].destinations.push_back(destination);
    matrix_[source].weights.push_back(weight);
    return true;
  }

  void read_square() {
    std::uint32_t source = 0;
    do {
      const auto& words = rows_.words();
      if (words.size() != nodes_)
        rows_.wrong(fmt::format("this row has {} weights", words.size()),
                    fmt::format("give one for each of the {} nodes", nodes_));
      else if (source < nodes_)
        for (NodeId destination = 0; destination < nodes_; ++destination)
          add_word(source, destination, words[destination]);
      ++source;
    } while (rows_.next());
    if (source != nodes_)
      rows_.wrong_at(0, fmt::format("has {} rows", source),
                     fmt::format("give one for each of the {} nodes", nodes_));
  }

  void add_word(NodeId source, NodeId destination, std::string_view word) {
    const auto weight = real_number(word);
    if (!weight || !add(source, destination, *weight))
      rows_.wrong(fmt::format("\"{}\", from node {} to node {}, is not a weight", word, source, destination),
                  "0 to 1e12");
  }

  void read_list() {
    constexpr std::string_view kHeader[] = {"source", "destination", "weight"};
    if (!std::ranges::equal(rows_.words(), kHeader))
      return rows_.wrong("this is neither a row of weights nor the header",
                         "the header is \"source destination weight\"");
    std::vector<std::vector<std::pair<NodeId, std::uint32_t>>> seen(nodes_);  // destinations with their lines
    const NumberedNames nodes("node", nodes_);
    while (rows_.next()) {
      const auto& words = rows_.words();
      if (words.size() != 3) {
        rows_.wrong("this row does not have 3 columns", "write source, destination and weight");
        continue;
      }
      const auto source = nodes.single(words[0]), destination = nodes.single(words[1]);
      if (!source) rows_.wrong(nodes.no_such(words[0]), nodes.hint("0"));
      if (!destination) rows_.wrong(nodes.no_such(words[1]), nodes.hint("0"));
      if (!source || !destination) continue;
      add_word(*source, *destination, words[2]);
      seen[*source].emplace_back(*destination, rows_.line());
    }
    for (NodeId source = 0; source < nodes_; ++source) {
      std::ranges::sort(seen[source]);
      for (std::size_t i = 1; i < seen[source].size(); ++i)
        if (seen[source][i].first == seen[source][i - 1].first)
          rows_.wrong_at(
              seen[source][i].second,
              fmt::format("there is another row from node {} to node {}", source, seen[source][i].first),
              "see " + rows_.place(seen[source][i - 1].second));
    }
  }

  void read_array(const std::string& content) {
    NpyHeader header;
    try {
      header = read_npy(content);
    } catch (const NpyError& error) {
      return rows_.wrong_at(0, fmt::format("is no NumPy array of weights: {}", error.what()));
    }
    const bool is_square =
        !header.is_structured && header.shape == std::vector<std::uint64_t>{nodes_, nodes_};
    if (!is_square)
      return rows_.wrong_at(
          0, header.is_structured ? "its elements are records" : "its shape is " + header.shape_text(),
          fmt::format("give numbers, {} x {} in this network", nodes_, nodes_));
    const char* at = content.data() + header.data;
    for (NodeId source = 0; source < nodes_; ++source)
      for (NodeId destination = 0; destination < nodes_; ++destination, at += header.element_bytes)
        if (const double weight = header.fields[0].type.real(at); !add(source, destination, weight))
          rows_.wrong_at(
              0, fmt::format("{}, from node {} to node {}, is not a weight", weight, source, destination),
              "0 to 1e12");
  }

  std::uint32_t nodes_;
  RowReader rows_;
  Matrix matrix_;
  std::size_t weights_ = 0;
};

class MatrixPattern final : public Pattern {
 public:
  void describe(Parameters& parameters) override {
    parameters.field(
        {.name = "file",
         .help = "weights from every source to every destination: text, or a NumPy array of N x N "
                 "numbers (docs/files.md); a relative path is relative to the spec"},
        file_);
    parameters.field(
        {.name = "loads",
         .help = "loads of the sources: the load of the flow for each that sends (equal), or in "
                 "proportion to the sums of the rows, of which the largest gets the load of the flow "
                 "(by-rows)"},
        loads_);
  }
  void check(const NodeSpace& space, Mistakes& mistakes) const override {
    if (!file_.named())
      mistakes.add("file", "no file is given", "write for example file = \"weights.txt\"");
    else
      MatrixReader(file_, space.nodes, mistakes).read();
  }
  std::unique_ptr<Destinations> build(const NodeSpace& space, std::uint64_t) const override {
    Mistakes mistakes;
    Matrix matrix = MatrixReader(file_, space.nodes, mistakes).read();
    mistakes.throw_if_any();
    return std::make_unique<MatrixDestinations>(std::move(matrix), loads_);
  }

 private:
  InputFile file_;
  RowLoads loads_ = RowLoads::equal;
};

}  // namespace

Entry<Pattern> matrix() {
  return {"matrix", "weights from every source to every destination, from a file", "Headway",
          make_entry<Pattern, MatrixPattern>};
}

}  // namespace headway
