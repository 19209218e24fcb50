// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/window.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

namespace headway {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double ratio(double a, double b) { return b == 0 ? kNaN : a / b; }

// The difference of a counter over the window.
double counted(const Window& w, std::uint64_t Counters::* counter) {
  return static_cast<double>(w.last().counters.*counter - w.first().counters.*counter);
}
double ticks(const Window& w) { return static_cast<double>(w.last().tick - w.first().tick); }
double ns(const Window& w, double t) { return w.network().ns(t); }

double mean_ns(const Window& w, std::uint64_t Counters::* sum) {
  return ns(w, ratio(counted(w, sum), counted(w, &Counters::packets_delivered)));
}
double quantile_ns(const Window& w, const Histogram& histogram, double q) {
  return histogram.count() == 0 ? kNaN : ns(w, histogram.quantile(q));
}
const Histogram& latency(const Window& w) { return w.simulation().record().latency; }
const Histogram& network_latency(const Window& w) { return w.simulation().record().network_latency; }

// Links between switches; the links of nodes are in the loads.
template <class Fold>
void for_each_switch_link(const Window& w, Fold&& fold) {
  const Graph& graph = w.network().graph;
  for (PortId port = 0; port < graph.switch_ports(); ++port)
    if (graph.peer_of(port) != kNone && !graph.is_node_port(graph.peer_of(port))) fold(w.utilisation(port));
}

double longest_queue(const Window& w) {
  const StateView view = w.simulation().view();
  const Network& network = w.network();
  std::uint32_t most = 0;
  for (SwitchId sw = 0; sw < network.switches(); ++sw)
    for (PortId id = network.first_port[sw]; id < network.first_port[sw + 1]; ++id) {
      const Port& port = network.ports[id];
      for (std::uint32_t q = port.first_queue; q < port.first_queue + port.queues; ++q)
        most = std::max(most, view.longest(q));
    }
  return most;
}

constexpr WindowMetric kMetrics[] = {
    {{"offered_load", "fraction of link rate",
      "bytes generated per unit of time, over the link rate of the nodes that have sources"},
     [](const Window& w) {
       return ratio(counted(w, &Counters::bytes_generated), ticks(w) * w.bytes_per_tick_of_sources());
     }},
    {{"accepted_load", "fraction of link rate",
      "bytes delivered per unit of time, over the link rate of the nodes that have sources"},
     [](const Window& w) {
       return ratio(counted(w, &Counters::bytes_delivered), ticks(w) * w.bytes_per_tick_of_sources());
     }},
    {{"network_efficiency", "fraction of link rate",
      "bytes delivered per unit of time, over the link rate of all nodes (normalised throughput)"},
     [](const Window& w) {
       return ratio(counted(w, &Counters::bytes_delivered), ticks(w) * w.bytes_per_tick_of_nodes());
     }},
    {{"latency_mean_ns", "ns", "generation of a message to delivery of its packet's tail, mean over packets"},
     [](const Window& w) { return mean_ns(w, &Counters::latency_ticks); }},
    {{"latency_se_ns", "ns", "standard error of latency_mean_ns, by batch means"},
     [](const Window& w) { return w.standard_error(&Counters::latency_ticks); }},
    {{"latency_p50_ns", "ns", "latency not exceeded by half of the packets (within 0.8 %)"},
     [](const Window& w) { return quantile_ns(w, latency(w), 0.5); }},
    {{"latency_p90_ns", "ns", "latency not exceeded by 90 % of the packets (within 0.8 %)"},
     [](const Window& w) { return quantile_ns(w, latency(w), 0.9); }},
    {{"latency_p99_ns", "ns", "latency not exceeded by 99 % of the packets (within 0.8 %)"},
     [](const Window& w) { return quantile_ns(w, latency(w), 0.99); }},
    {{"latency_p999_ns", "ns", "latency not exceeded by 99.9 % of the packets (within 0.8 %)"},
     [](const Window& w) { return quantile_ns(w, latency(w), 0.999); }},
    {{"latency_max_ns", "ns", "largest latency of a packet"},
     [](const Window& w) { return ns(w, static_cast<double>(latency(w).max())); }},
    {{"network_latency_mean_ns", "ns",
      "injection (grant by the adapter) to delivery of the tail, mean over packets"},
     [](const Window& w) { return mean_ns(w, &Counters::network_latency_ticks); }},
    {{"network_latency_se_ns", "ns", "standard error of network_latency_mean_ns, by batch means"},
     [](const Window& w) { return w.standard_error(&Counters::network_latency_ticks); }},
    {{"network_latency_p50_ns", "ns", "network latency not exceeded by half of the packets (within 0.8 %)"},
     [](const Window& w) { return quantile_ns(w, network_latency(w), 0.5); }},
    {{"network_latency_p90_ns", "ns", "network latency not exceeded by 90 % of the packets (within 0.8 %)"},
     [](const Window& w) { return quantile_ns(w, network_latency(w), 0.9); }},
    {{"network_latency_p99_ns", "ns", "network latency not exceeded by 99 % of the packets (within 0.8 %)"},
     [](const Window& w) { return quantile_ns(w, network_latency(w), 0.99); }},
    {{"network_latency_p999_ns", "ns",
      "network latency not exceeded by 99.9 % of the packets (within 0.8 %)"},
     [](const Window& w) { return quantile_ns(w, network_latency(w), 0.999); }},
    {{"network_latency_max_ns", "ns", "largest network latency of a packet"},
     [](const Window& w) { return ns(w, static_cast<double>(network_latency(w).max())); }},
    {{"packets_generated", "packets", "packets of the messages generated in the window"},
     [](const Window& w) { return counted(w, &Counters::packets_generated); }},
    {{"packets_injected", "packets", "packets that left their adapter"},
     [](const Window& w) { return counted(w, &Counters::packets_injected); }},
    {{"packets_delivered", "packets", "packets whose tail reached their destination"},
     [](const Window& w) { return counted(w, &Counters::packets_delivered); }},
    {{"out_of_order_packets", "packets",
      "deliveries overtaken by a later packet of the same source and destination (counted where routing or "
      "scheme "
      "do not promise order; 0 where they do)"},
     [](const Window& w) { return counted(w, &Counters::out_of_order); }},
    {{"out_of_order_pairs", "pairs", "pairs of source and destination of which some delivery was overtaken"},
     [](const Window& w) { return static_cast<double>(w.simulation().record().disorder.pairs); }},
    {{"out_of_order_pair_max", "packets", "overtaken deliveries of the pair that has most"},
     [](const Window& w) { return static_cast<double>(w.simulation().record().disorder.most); }},
    {{"hops_mean", "switches", "switches crossed per delivered packet (in a steady window)"},
     [](const Window& w) {
       return ratio(counted(w, &Counters::packet_hops), counted(w, &Counters::packets_delivered));
     }},
    {{"link_utilisation_mean", "fraction of time", "busy share of the links between switches, mean"},
     [](const Window& w) {
       double sum = 0, links = 0;
       for_each_switch_link(w, [&](double u) { sum += u, ++links; });
       return ratio(sum, links);
     }},
    {{"link_utilisation_deviation", "fraction of time",
      "standard deviation over the links between switches of their busy share: 0 in perfect balance"},
     [](const Window& w) {
       double sum = 0, squares = 0, links = 0;
       for_each_switch_link(w, [&](double u) { sum += u, squares += u * u, ++links; });
       return std::sqrt(std::max(0.0, ratio(squares, links) - ratio(sum, links) * ratio(sum, links)));
     }},
    {{"link_utilisation_max", "fraction of time", "busy share of the busiest link between switches"},
     [](const Window& w) {
       double most = 0;
       for_each_switch_link(w, [&](double u) { most = std::max(most, u); });
       return most;
     }},
    {{"queue_max_packets", "packets", "most packets that waited at once in one queue of a switch"},
     &longest_queue},
    {{"packets_in_network_mean", "packets",
      "packets in injection queues, switches and on links, mean over the ends of the bins"},
     [](const Window& w) { return w.mean_packets_in_network(); }},
    {{"backlog_packets", "packets", "packets waiting for admission at the end of the window"},
     [](const Window& w) { return static_cast<double>(w.last().waiting_packets); }},
    {{"backlog_memory_bytes", "bytes",
      "memory that messages took which waited for admission, at most, since the start of the run"},
     [](const Window& w) {
       const Record& record = w.simulation().record();
       return static_cast<double>(backlog_bytes(record.most_waiting_messages, record.admittance_queues));
     }},
    {{"warmup_ns", "ns", "simulated time before the window, as given or detected"},
     [](const Window& w) { return ns(w, static_cast<double>(w.first().tick)); }},
    {{"duration_ns", "ns", "simulated time measured"}, [](const Window& w) { return ns(w, ticks(w)); }},
    {{"packet_hops", "hops", "packets crossing a switch, in the window"},
     [](const Window& w) { return counted(w, &Counters::packet_hops); }},
    {{"events", "events", "events handled in the window"},
     [](const Window& w) { return counted(w, &Counters::events); }},
};

constexpr WindowMetric kTraceMetrics[] = {
    {{"trace_messages", "messages", "messages of traces generated in the window", Needs::traces},
     [](const Window& w) { return counted(w, &Counters::trace_messages); }},
    {{"trace_compression", "times",
      "how many times faster than recorded the trace was played; of several, the first", Needs::traces},
     [](const Window& w) { return w.workload().traces.front().compression; }},
    {{"trace_records_skipped", "records",
      "records of traces, up to the end of the window, that could not be read", Needs::traces},
     [](const Window& w) { return static_cast<double>(w.last().counters.trace_records_skipped); }},
};

double between(const Reading& from, const Reading& to, std::uint64_t Counters::* counter) {
  return static_cast<double>(to.counters.*counter - from.counters.*counter);
}

constexpr SeriesMetric kSeries[] = {
    {{"time_ns", "ns", "end of the bin", Needs::nothing, "series"},
     [](const Network& network, double, const Reading&, const Reading& to) {
       return network.ns(static_cast<double>(to.tick));
     }},
    {{"offered_efficiency", "fraction of link rate",
      "bytes generated in the bin over the link rate of all nodes", Needs::nothing, "series"},
     [](const Network&, double capacity, const Reading& from, const Reading& to) {
       return ratio(between(from, to, &Counters::bytes_generated),
                    static_cast<double>(to.tick - from.tick) * capacity);
     }},
    {{"network_efficiency", "fraction of link rate",
      "bytes delivered in the bin over the link rate of all nodes", Needs::nothing, "series"},
     [](const Network&, double capacity, const Reading& from, const Reading& to) {
       return ratio(between(from, to, &Counters::bytes_delivered),
                    static_cast<double>(to.tick - from.tick) * capacity);
     }},
    {{"latency_mean_ns", "ns", "mean latency of the packets delivered in the bin", Needs::nothing, "series"},
     [](const Network& network, double, const Reading& from, const Reading& to) {
       return network.ns(ratio(between(from, to, &Counters::latency_ticks),
                               between(from, to, &Counters::packets_delivered)));
     }},
    {{"network_latency_mean_ns", "ns", "mean network latency of the packets delivered in the bin",
      Needs::nothing, "series"},
     [](const Network& network, double, const Reading& from, const Reading& to) {
       return network.ns(ratio(between(from, to, &Counters::network_latency_ticks),
                               between(from, to, &Counters::packets_delivered)));
     }},
    {{"packets_in_network", "packets",
      "packets in injection queues, switches and on links at the end of the bin", Needs::nothing, "series"},
     [](const Network&, double, const Reading&, const Reading& to) {
       return static_cast<double>(to.packets_in_network);
     }},
    {{"backlog_packets", "packets", "packets waiting for admission at the end of the bin", Needs::nothing,
      "series"},
     [](const Network&, double, const Reading&, const Reading& to) {
       return static_cast<double>(to.waiting_packets);
     }},
};

}  // namespace

std::span<const WindowMetric> window_metrics() { return kMetrics; }
std::span<const WindowMetric> trace_metrics() { return kTraceMetrics; }
std::span<const SeriesMetric> series_metrics() { return kSeries; }

Reading read(const Simulation& simulation, Tick tick) {
  const Record& record = simulation.record();
  return {tick, record.counters, record.waiting_packets, record.packets_in_network};
}

Window::Window(const Network& network, const Workload& workload, Simulation& simulation, Tick start,
               Options options)
    : network_(network), workload_(workload), simulation_(simulation), options_(options) {
  std::vector<bool> sends(network.nodes(), false);
  for (const Source& source : workload.sources) sends[source.node] = true;
  for (const Trace& trace : workload.traces)
    for (const NodeId node : trace.senders) sends[node] = true;
  for (NodeId node = 0; node < network.nodes(); ++node) {
    const double capacity = 1.0 / network.ports[network.adapter_port(node)].ticks_per_byte;
    node_capacity_ += capacity;
    if (sends[node]) source_capacity_ += capacity;
  }
  simulation.begin_measurement();
  const StateView view = simulation.view();
  const Record& record = simulation.record();
  for (PortId output = 0; output < network.ports.size(); ++output)
    bytes_sent_before_.push_back(view.bytes_sent(output));
  bytes_to_before_ = record.bytes_to;
  bytes_between_before_ = record.bytes_between;
  if (options_.pairs_over_time) bytes_between_now_ = record.bytes_between;
  close_bin(start);
}

void Window::close_bin(Tick tick) {
  readings_.push_back(read(simulation_, tick));
  if (options_.destinations_over_time) bytes_to_at_.push_back(simulation_.record().bytes_to);
  if (options_.pairs_over_time) keep_pairs();
}

void Window::keep_pairs() {
  const std::vector<std::uint64_t>& bytes = simulation_.record().bytes_between;
  std::vector<PairBytes>& kept = pairs_at_.emplace_back();
  const std::uint32_t nodes = network_.nodes();
  for (std::size_t pair = 0; pair < bytes.size(); ++pair)
    if (bytes[pair] != bytes_between_now_[pair])
      kept.push_back({static_cast<NodeId>(pair / nodes), static_cast<NodeId>(pair % nodes),
                      bytes[pair] - bytes_between_now_[pair]});
  bytes_between_now_ = bytes;
}

std::vector<std::pair<std::string, double>> Window::metrics() const {
  std::vector<std::pair<std::string, double>> result;
  for (const WindowMetric& metric : kMetrics) result.emplace_back(metric.metric.name, metric.value(*this));
  if (!workload_.traces.empty())
    for (const WindowMetric& metric : kTraceMetrics)
      result.emplace_back(metric.metric.name, metric.value(*this));
  return result;
}

double Window::mean_packets_in_network() const {
  double sum = 0;
  for (std::size_t i = 1; i < readings_.size(); ++i)
    sum += static_cast<double>(readings_[i].packets_in_network);
  return ratio(sum, static_cast<double>(readings_.size() - 1));
}

double Window::utilisation(PortId output) const {
  const PortId link = network_.link_port(output);
  const double bytes = static_cast<double>(simulation_.view().bytes_sent(link) - bytes_sent_before_[link]);
  return ratio(bytes * network_.ports[link].ticks_per_byte, ticks(*this));
}

double Window::standard_error(std::uint64_t Counters::* sum) const {
  const std::size_t bins = readings_.size() - 1;
  const std::size_t batches = std::min<std::size_t>(bins, kBatches);
  std::vector<double> means;
  for (std::size_t b = 0; b < batches; ++b) {
    const Reading& from = readings_[bins * b / batches];
    const Reading& to = readings_[bins * (b + 1) / batches];
    const double packets = between(from, to, &Counters::packets_delivered);
    if (packets > 0) means.push_back(between(from, to, sum) / packets);
  }
  if (means.size() < 2) return kNaN;
  double mean = 0, squares = 0;
  for (const double m : means) mean += m / static_cast<double>(means.size());
  for (const double m : means) squares += (m - mean) * (m - mean);
  const auto n = static_cast<double>(means.size());
  return network_.ns(std::sqrt(squares / (n - 1) / n));
}

double Window::load_of(NodeId destination, std::uint64_t bytes, Tick time) const {
  const PortId last_link = network_.link_port(network_.graph.source_of(network_.adapter_port(destination)));
  return ratio(static_cast<double>(bytes) * network_.ports[last_link].ticks_per_byte,
               static_cast<double>(time));
}

double Window::accepted_load(NodeId destination) const {
  return load_of(destination, simulation_.record().bytes_to[destination] - bytes_to_before_[destination],
                 last().tick - first().tick);
}

double Window::accepted_load(NodeId destination, std::size_t reading) const {
  return load_of(destination, bytes_to_at_[reading][destination] - bytes_to_at_[reading - 1][destination],
                 readings_[reading].tick - readings_[reading - 1].tick);
}

double Window::accepted_load(const PairBytes& pair, std::size_t reading) const {
  return load_of(pair.destination, pair.bytes, readings_[reading].tick - readings_[reading - 1].tick);
}

Table Window::per_destination() const {
  Table table = {{"destination", {}}, {"accepted_load", {}}};
  for (NodeId node = 0; node < network_.nodes(); ++node) {
    table[0].values.push_back(node);
    table[1].values.push_back(accepted_load(node));
  }
  return table;
}

Table Window::per_pair() const {
  const std::uint32_t nodes = network_.nodes();
  const std::vector<std::uint64_t>& bytes = simulation_.record().bytes_between;
  const Disorder& disorder = simulation_.record().disorder;
  Table table = {
      {"pair", {}}, {"source", {}}, {"destination", {}}, {"accepted_load", {}}, {"out_of_order_packets", {}}};
  for (std::size_t pair = 0; pair < bytes.size(); ++pair) {
    const std::uint64_t source = pair / nodes;
    const auto destination = static_cast<NodeId>(pair % nodes);
    const double row[] = {
        static_cast<double>(pair), static_cast<double>(source), static_cast<double>(destination),
        load_of(destination, bytes[pair] - bytes_between_before_[pair], last().tick - first().tick),
        static_cast<double>(disorder.deliveries_of.value(source << 32 | destination))};
    for (std::size_t column = 0; column < table.size(); ++column) table[column].values.push_back(row[column]);
  }
  return table;
}

Table Window::per_link() const {
  const Graph& graph = network_.graph;
  Table table = {
      {"port", {}}, {"from_switch", {}}, {"from_node", {}}, {"from_port", {}}, {"utilisation", {}}};
  for (PortId port = 0; port < graph.ports(); ++port) {
    if (graph.peer_of(port) == kNone) continue;
    const bool adapter = graph.is_node_port(port);
    table[0].values.push_back(port);
    table[1].values.push_back(adapter ? kNaN : graph.switch_of(port));
    table[2].values.push_back(adapter ? graph.node_of(port) : kNaN);
    table[3].values.push_back(network_.ports[port].local);
    table[4].values.push_back(utilisation(port));
  }
  return table;
}

Table Window::per_stage() const {
  const Graph& graph = network_.graph;
  const auto stage = [&](PortId port) {
    return graph.is_node_port(port) ? -1 : graph.stage_of(graph.switch_of(port));
  };
  struct Sum {
    double links = 0, sum = 0, squares = 0, least = 2, most = 0;
  };
  // (which link of a path over the top stage, the sender's being 0; from stage; to stage); nodes are stage -1
  std::map<std::tuple<int, int, int>, Sum> of;
  if (graph.stages() == 0) return {};
  const int top = static_cast<int>(graph.stages()) - 1;
  for (PortId port = 0; port < graph.ports(); ++port) {
    if (graph.peer_of(port) == kNone) continue;
    const int from = stage(port), to = stage(graph.peer_of(port));
    Sum& group = of[{to > from ? from + 1 : 2 * top + 1 - from, from, to}];
    const double u = utilisation(port);
    ++group.links;
    group.sum += u;
    group.squares += u * u;
    group.least = std::min(group.least, u);
    group.most = std::max(group.most, u);
  }
  Table table;
  for (const char* name : {"link", "from_stage", "to_stage", "links", "utilisation_mean", "utilisation_max",
                           "utilisation_min", "utilisation_deviation"})
    table.push_back({name, {}});
  for (const auto& [key, group] : of) {
    const auto [link, from, to] = key;
    const double mean = group.sum / group.links;
    const double deviation = std::sqrt(std::max(0.0, group.squares / group.links - mean * mean));
    const double row[] = {static_cast<double>(link),
                          static_cast<double>(from),
                          static_cast<double>(to),
                          group.links,
                          mean,
                          group.most,
                          group.least,
                          deviation};
    for (std::size_t column = 0; column < table.size(); ++column) table[column].values.push_back(row[column]);
  }
  return table;
}

}  // namespace headway
