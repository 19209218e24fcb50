// SPDX-License-Identifier: Apache-2.0
#include "headway/analysis/offered_traffic.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "headway/base/hash.h"

namespace headway {
namespace {

// What distinguishes the spreads of a workload while its patterns exist.
auto identity(const Spread& spread) {
  return std::tuple(spread.nodes.data(), spread.weights.data(), spread.first, spread.count);
}
using Identity = decltype(identity(Spread{}));

struct One {
  NodeId destination;
  OfferedTraffic::From from;
};

// Collects the components of all sources.
class Collector final : public Destinations::Components {
 public:
  Collector(std::vector<OfferedTraffic::SpreadTraffic>& spreads, std::vector<double>& from_node,
            std::vector<double>& to_node)
      : spreads_(spreads), from_node_(from_node), to_node_(to_node) {}

  void begin(NodeId source, double rate) {
    source_ = source;
    rate_ = rate;
  }
  void one(NodeId destination, double share) override {
    from_node_[source_] += share * rate_;
    to_node_[destination] += share * rate_;
    if (ones.size() < OfferedTraffic::kMostOnes)
      ones.push_back({destination, {source_, share * rate_}});
    else
      complete = false;
  }
  void spread(const Spread& destinations, double share) override {
    const auto [found, fresh] = number_.try_emplace(identity(destinations), spreads_.size());
    if (fresh) spreads_.push_back({destinations, {}});
    spreads_[found->second].from.push_back({source_, share * rate_});
    spreads_[found->second].rate += share * rate_;
  }

  std::vector<One> ones;
  bool complete = true;

 private:
  std::vector<OfferedTraffic::SpreadTraffic>& spreads_;
  std::vector<double>& from_node_;
  std::vector<double>& to_node_;
  std::map<Identity, std::size_t> number_;
  NodeId source_ = 0;
  double rate_ = 0;
};

template <class Value>
std::uint64_t hashed(std::uint64_t before, std::span<const Value> values) {
  const std::size_t count = values.size();
  const auto text = [](const auto* data, std::size_t bytes) {
    return std::string_view(reinterpret_cast<const char*>(data), bytes);  // NOLINT: bytes of numbers
  };
  return hash_of(text(values.data(), values.size_bytes()), hash_of(text(&count, sizeof(count)), before));
}

}  // namespace

OfferedTraffic::OfferedTraffic(const Workload& workload, std::uint32_t nodes,
                               std::span<const double> rate_of_flow, const Hosts& hosts)
    : first_(nodes + 1), from_node_(nodes), to_node_(nodes) {
  Collector collector(spreads_, from_node_, to_node_);
  for (const Source& source : workload.sources) {
    const double rate = rate_of_flow[source.flow];
    if (rate <= 0) continue;
    const Destinations& destinations = *workload.flows[source.flow].destinations;
    if (hosts.none()) {
      collector.begin(source.node, rate);
      destinations.visit_components(source.node, collector);
      continue;
    }
    destinations.shares(source.node, [&](NodeId destination, double share) {
      const std::uint32_t ways = hosts.ways(source.node, destination);
      hosts.for_each_way(source.node, destination, [&](NodeId from, NodeId to) {
        collector.begin(from, rate);
        collector.one(to, share / ways);
      });
    });
  }
  for (const One& one : collector.ones) ++first_[one.destination + 1];
  for (NodeId node = 0; node < nodes; ++node) first_[node + 1] += first_[node];
  ones_.resize(collector.ones.size());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for (const One& one : collector.ones) ones_[next[one.destination]++] = one.from;

  complete_ = collector.complete;
  entries_ = ones_.size();
  for (const SpreadTraffic& spread : spreads_) {
    for (const From& from : spread.from) from_node_[from.source] += from.rate;
    for (std::uint32_t place = 0; place < spread.destinations.count; ++place)
      to_node_[spread.destinations.node(place)] += spread.rate * spread.destinations.share(place);
    entries_ += spread.from.size() + spread.destinations.count;
  }
}

std::uint64_t OfferedTraffic::hash() const {
  std::uint64_t hash = hashed(kHashOfNothing, std::span(first_));
  hash = hashed(hash, std::span(from_node_));
  hash = hashed(hash, std::span(to_node_));
  const auto add = [&](std::span<const From> list) {
    for (const From& from : list) {
      hash = hashed(hash, std::span(&from.source, 1));
      hash = hashed(hash, std::span(&from.rate, 1));
    }
  };
  add(ones_);
  for (const SpreadTraffic& spread : spreads_) {
    const std::uint32_t range[] = {spread.destinations.first, spread.destinations.count};
    hash = hashed(hash, std::span<const std::uint32_t>(range));
    hash = hashed(hash, spread.destinations.nodes);
    hash = hashed(hash, spread.destinations.weights);
    add(spread.from);
  }
  return hash;
}

bool is_closed_loop(const Workload& workload) {
  return !workload.traces.empty() || !workload.jobs.empty() ||
         std::ranges::any_of(workload.flows, [](const Flow& flow) { return flow.arrivals == nullptr; });
}

std::vector<double> mean_rates(const Workload& workload, Tick from, Tick to) {
  std::vector<double> rates;
  for (const Flow& flow : workload.flows)
    rates.push_back(from < to ? mean_load(flow.load, from, to) * flow.bytes_per_tick : 0);
  return rates;
}

}  // namespace headway
