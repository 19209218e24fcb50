// SPDX-License-Identifier: Apache-2.0
// Sizes by a cumulative distribution: points of size and probability, between which the size is uniformly
// distributed. Two distributions are from data centres. The papers show them as figures; the points are from
// the files DCTCP_CDF and VL2_CDF of github.com/datacenter/empirical-traffic-gen. Other generators use the
// same points (DCTCP_CDF.txt and VL2_CDF.txt of github.com/HKUST-SING/TrafficGenerator). Its CDF_vl2.txt, in
// packets of 1500 bytes, is coarser and has 0.99 instead of 0.98 at 100 MB. Choice: linear interpolation, as
// there.
#include <algorithm>
#include <cmath>
#include <span>

#include "headway/base/input_file.h"
#include "headway/config/row_reader.h"
#include "headway/traffic/message_sizes.h"

namespace headway {
namespace {

constexpr double kLargestSize = 1e15;

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
  std::vector<SizeDistribution::Component> components;
  std::uint64_t before = 0;
  double probability = 0;
  for (const SizePoint& point : points) {
    const auto size = static_cast<std::uint64_t>(std::llround(point.bytes * scale));
    const std::uint64_t last = std::max<std::uint64_t>(1, size);
    // the first point is a single size with this probability
    const std::uint64_t first = &point == &points.front() ? last : std::min(before + 1, last);
    if (point.probability > probability) components.push_back({point.probability - probability, first, last});
    before = size;
    probability = point.probability;
  }
  return SizeDistribution(components);
}

// Reads rows of a size and a probability; empty after a mistake.
std::vector<SizePoint> read_points(const InputFile& file, Mistakes& mistakes) {
  RowReader rows(file, "sizes_file", mistakes);
  std::vector<SizePoint> points;
  const auto wrong = [&](std::uint32_t line, const char* message) {
    rows.wrong_at(line, message,
                  "write lines such as \"10000 0.15\": 15 % of the messages have at most 10000 bytes");
  };
  while (!rows.any_wrong() && rows.next()) {
    const auto& words = rows.words();
    const auto bytes = real_number(words[0]), probability = real_number(words.back());
    if (words.size() != 2 || !bytes || !probability)
      wrong(rows.line(), "must be a size in bytes and a probability");
    else if (!(*bytes >= 0 && *bytes <= kLargestSize))
      wrong(rows.line(), "the size must be from 0 to 1e15 bytes");
    else if (!(*probability >= 0 && *probability <= 1))
      wrong(rows.line(), "the probability must be from 0 to 1");
    else if (!points.empty() && (*bytes < points.back().bytes || *probability < points.back().probability))
      wrong(rows.line(), "sizes and probabilities must not decrease");
    else
      points.push_back({*bytes, *probability});
  }
  if (!rows.any_wrong() && (points.empty() || points.back().probability != 1))
    wrong(0, "the last probability must be 1");
  else if (!rows.any_wrong() && points.back().bytes <= 0)
    wrong(0, "all sizes are 0");
  return rows.any_wrong() ? std::vector<SizePoint>{} : points;
}

class SizeTable : public MessageSizes {
 public:
  void describe(Parameters& parameters) override {
    parameters.field(
        {.name = "size_scale",
         .help = "factor of all sizes: to fit them to short runs, or 1460 for a file in packets of "
                 "this size",
         .bounds = Bounds::over(0, 1e6)},
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
      read_points(file_, mistakes);
  }
  SizeDistribution build(std::int64_t) const override {
    Mistakes mistakes;
    const std::vector<SizePoint> points = read_points(file_, mistakes);
    mistakes.throw_if_any();
    return distribution_of(points, scale_);
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
