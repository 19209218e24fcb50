// SPDX-License-Identifier: Apache-2.0
// Sizes by a cumulative distribution: points of size and probability, between which the size is uniformly
// distributed. Two distributions are from data centres. The papers show them as figures; the points are from
// the files DCTCP_CDF and VL2_CDF of github.com/datacenter/empirical-traffic-gen. Other generators use the
// same points (DCTCP_CDF.txt and VL2_CDF.txt of github.com/HKUST-SING/TrafficGenerator). Its CDF_vl2.txt, in
// packets of 1500 bytes, is coarser and has 0.99 instead of 0.98 at 100 MB. Choice: linear interpolation, as
// there.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "headway/base/input_file.h"
#include "headway/base/paths.h"
#include "headway/traffic/message_sizes.h"

namespace headway {
namespace {

constexpr double kMostBytes = 1e15;

// With this probability, a message has at most this size.
struct SizePoint {
  double bytes;
  double probability;
};

// Alizadeh et al., "Data center TCP (DCTCP)", SIGCOMM 2010, figure 4: flows of a cluster that serves web
// search.
constexpr SizePoint kWebSearch[] = {{0, 0},     {1e4, 0.15}, {2e4, 0.2}, {3e4, 0.3}, {5e4, 0.4},  {8e4, 0.53},
                                    {2e5, 0.6}, {1e6, 0.7},  {2e6, 0.8}, {5e6, 0.9}, {1e7, 0.97}, {3e7, 1}};

// Greenberg et al., "VL2: a scalable and flexible data center network", SIGCOMM 2009, figure 2: flows of a
// cluster that mines data.
constexpr SizePoint kDataMining[] = {{0, 0},         {180, 0.1},  {216, 0.2},  {560, 0.3}, {900, 0.4},
                                     {1100, 0.5},    {1870, 0.6}, {3160, 0.7}, {1e4, 0.8}, {4e5, 0.9},
                                     {3.16e6, 0.95}, {1e8, 0.98}, {1e9, 1}};

SizeDistribution distribution_of(std::span<const SizePoint> points, double scale) {
  std::vector<SizeDistribution::Part> parts;
  std::uint64_t before = 0;
  double probability = 0;
  for (const SizePoint& point : points) {
    const auto size = static_cast<std::uint64_t>(std::llround(point.bytes * scale));
    const std::uint64_t last = std::max<std::uint64_t>(1, size);
    // the first point is a single size with this probability
    const std::uint64_t first = &point == &points.front() ? last : std::min(before + 1, last);
    if (point.probability > probability) parts.push_back({point.probability - probability, first, last});
    before = size;
    probability = point.probability;
  }
  return SizeDistribution(parts);
}

// Reads "SIZE PROBABILITY" line by line; # begins a comment.
class PointReader {
 public:
  PointReader(const InputFile& file, Mistakes& mistakes) : file_(file), mistakes_(mistakes) {}

  std::vector<SizePoint> points() {
    const std::string* const text = file_.text("sizes_file", mistakes_);
    if (text == nullptr) return {};
    std::string_view rest = *text;
    for (int line = 1; !rest.empty() && good_; ++line) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      std::string_view content = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      content = content.substr(0, content.find('#'));
      if (content.find_first_not_of(" \t\r") != std::string_view::npos) read(content, line);
    }
    if (good_ && (points_.empty() || points_.back().probability != 1))
      wrong(0, "the last probability must be 1");
    if (good_ && points_.back().bytes <= 0) wrong(0, "all sizes are 0");
    if (!good_) points_.clear();
    return std::move(points_);
  }

 private:
  void read(std::string_view line, int number) {
    const auto bytes = take(line);
    const auto probability = take(line);
    if (!bytes || !probability || line.find_first_not_of(" \t\r") != std::string_view::npos)
      return wrong(number, "must be a size in bytes and a probability");
    if (!(*bytes >= 0 && *bytes <= kMostBytes)) return wrong(number, "the size must be from 0 to 1e15 bytes");
    if (!(*probability >= 0 && *probability <= 1))
      return wrong(number, "the probability must be from 0 to 1");
    if (!points_.empty() && (*bytes < points_.back().bytes || *probability < points_.back().probability))
      return wrong(number, "sizes and probabilities must not decrease");
    points_.push_back({*bytes, *probability});
  }
  static std::optional<double> take(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{}) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
  }
  void wrong(int line, const std::string& message) {
    good_ = false;
    mistakes_.add("sizes_file",
                  short_path(file_.path()) + (line > 0 ? ":" + std::to_string(line) : "") + ": " + message,
                  "write lines such as \"10000 0.15\": 15 % of the messages have at most 10000 bytes");
  }

  const InputFile& file_;
  Mistakes& mistakes_;
  std::vector<SizePoint> points_;
  bool good_ = true;
};

class SizeTable : public MessageSizes {
 public:
  void describe(Parameters& parameters) override {
    parameters.field(
        {.name = "size_scale",
         .help = "factor of all sizes: to fit them to short runs, or 1460 for a file in packets of "
                 "this size",
         .at_most = 1e6,
         .above = 0},
        scale_);
  }

 protected:
  double scale_ = 1.0;
};

template <auto& kPoints>
class PublishedSizes final : public SizeTable {
 public:
  SizeDistribution build(std::int64_t) const override { return distribution_of(kPoints, scale_); }
};

class SizesOfFile final : public SizeTable {
 public:
  void describe(Parameters& parameters) override {
    parameters.field({.name = "sizes_file",
                      .help = "text file of a cumulative distribution: on each line a size in bytes and the "
                              "fraction of the messages that have at most this size"},
                     file_);
    SizeTable::describe(parameters);
  }
  void check(Mistakes& mistakes) const override {
    if (!file_.named())
      mistakes.add("sizes_file", "is missing", "give the name of a file with a cumulative distribution");
    else
      PointReader(file_, mistakes).points();
  }
  SizeDistribution build(std::int64_t) const override {
    Mistakes mistakes;
    check(mistakes);
    mistakes.throw_if_any();
    return distribution_of(PointReader(file_, mistakes).points(), scale_);
  }

 private:
  InputFile file_;
};

}  // namespace

Entry<MessageSizes> sizes_of_file() {
  return {"file", "sizes by a cumulative distribution from a file", "Headway",
          make_entry<MessageSizes, SizesOfFile>};
}
Entry<MessageSizes> web_search_sizes() {
  return {"web-search", "flows of a cluster that serves web search: 1.7 MB on average, up to 30 MB",
          "Alizadeh et al. (DCTCP), SIGCOMM 2010, figure 4; points of empirical-traffic-gen",
          make_entry<MessageSizes, PublishedSizes<kWebSearch>>};
}
Entry<MessageSizes> data_mining_sizes() {
  return {"data-mining", "flows of a cluster that mines data: most below 10 kB, 13 MB on average, up to 1 GB",
          "Greenberg et al. (VL2), SIGCOMM 2009, figure 2; points of empirical-traffic-gen",
          make_entry<MessageSizes, PublishedSizes<kDataMining>>};
}

}  // namespace headway
