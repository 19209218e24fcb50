// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/generators.h"

#include <algorithm>
#include <utility>

#include "headway/engine/next_hop.h"
#include "headway/engine/tails.h"

namespace headway {

Generators::Generators(State& state, const Workload& workload, const SimulationOptions& options, Jobs& jobs)
    : state_(state),
      workload_(workload),
      framing_(state.network.framing()),
      flow_of_(options.count_flows),
      class_of_(options.count_classes),
      sources_(workload.generators() + 1 + kTimerOfChanges),
      jobs_(jobs),
      gates_(state) {
  const Network& network = state.network;
  counts_parts_ = flow_of_ != nullptr || class_of_ != nullptr;
  waits_.memory_limit = std::min(options.backlog_limit, kMostBacklogBytes);
  waits_.most_kept = options.kept_messages;
  waits_.most_kept.of_run =
      std::min(waits_.most_kept.of_run, waits_.memory_limit / (2 * kBytesPerWaitingMessage));
  channels_ = network.queue_map.channels;
  // New routes can lead to a destination in another lane.
  const bool lanes_change =
      network.has_lanes() && std::ranges::any_of(network.changes, [](const TimedChange& change) {
        return change.routes != nullptr;
      });
  queue_fixed_ = network.admittance == Admittance::per_destination && !lanes_change &&
                 (network.in_order || network.sorts_arrivals || !network.queue_map.uses_output());
  waits_.first_adapter_queue = adapter(0).first_queue;
  if (options.count_by_generator) waits_.by_generator = std::make_unique<WaitingByGenerator>();

  std::vector<std::uint32_t> sources_at(network.nodes());
  const auto waits = [&](std::uint32_t s) {
    return waits_for_network(workload.flows[workload.sources[s].flow].arrivals == nullptr,
                             network.admittance_limit);
  };
  for (std::uint32_t s = 0; s < workload.sources.size(); ++s) {
    const Source& source = workload.sources[s];
    const Flow& flow = workload.flows[source.flow];
    if (!state.has_node(source.node)) continue;
    SourceState& made = sources_.make(s);
    made.rng = workload.stream(options.seed, s);
    made.flow = &flow;
    made.node = source.node;
    made.packets = flow.packets;
    made.last = static_cast<std::uint16_t>(flow.last_bytes);
    nodes_shared_ |= ++sources_at[source.node] > 1;
    if (waits(s)) waits_.nodes[source.node].keeps_all = true;
  }
  const auto keep_all = [&](NodeId node) {
    if (state.has_node(node)) waits_.nodes[node].keeps_all = true;
  };
  const auto keep_all_of_run = [&] {
    for (NodeId node = 0; node < network.nodes(); ++node) keep_all(node);
  };
  first_trace_ = static_cast<std::uint32_t>(workload.sources.size());
  for (const Trace& trace : workload.traces) {
    sources_.make(first_trace_ + traces_.size());
    traces_.push_back({trace.messages->open(), std::nullopt});
    nodes_shared_ = true;
    std::ranges::for_each(trace.senders, keep_all);
    if (trace.senders.empty()) keep_all_of_run();
  }
  first_job_ = workload.first_job_generator();
  for (std::uint32_t j = 0; j < workload.jobs.size(); ++j) {
    sources_.make(first_job_ + j);
    nodes_shared_ = true;
    std::ranges::for_each(workload.jobs[j].possible_nodes(), keep_all);
  }
  if (workload.notifies) {
    state.notifier = workload.notifier();
    sources_.make(workload.notifier());
    nodes_shared_ = true;
    keep_all_of_run();
  }
  if (network.has_hosts()) {
    link_turns_.resize(network.nodes());
    keep_all_of_run();  // which link a message takes depends on the others
  }
  wakers_.assign(network.nodes(), first_trace_, [&](std::uint32_t s) {
    const NodeId node = workload.sources[s].node;
    return state.has_node(node) && waits(s) ? node : kNone;
  });
  regenerated_.assign(network.nodes(), first_trace_, [&](std::uint32_t s) {
    const NodeId node = workload.sources[s].node;
    return state.has_node(node) && !waits_.nodes[node].keeps_all ? node : kNone;
  });
  if (network.routes.lanes.services() > 1)
    for (std::uint32_t s = 0; s < workload.generators(); ++s)
      waits_.service_of.push_back(workload.service_of(s));
}

void Generators::start() {
  for (std::uint32_t s = 0; s < first_trace_; ++s) {
    if (!state_.has_node(workload_.sources[s].node)) continue;
    const Flow& flow = *sources_[s].flow;
    if (flow.arrivals == nullptr) {
      state_.wheel.schedule_timer(flow.start, s);
    } else {
      sources_[s].next = flow.arrivals->first(sources_[s].rng);
      if (sources_[s].next != kNever) state_.wheel.schedule_timer(tick_of(sources_[s].next), s);
    }
    sources_[s].draw_size(framing_);
  }
  for (std::uint32_t t = 0; t < traces_.size(); ++t) {
    traces_[t].next = traces_[t].cursor->next();
    if (traces_[t].next) state_.wheel.schedule_timer(traces_[t].next->tick, first_trace_ + t);
  }
  if (state_.network.reaction) {
    gates_.start(workload_.generators());
    sources_.make(workload_.generators());  // which their timers fetch
  }
  if (!state_.network.changes.empty()) {
    sources_.make(workload_.generators() + kTimerOfChanges);
    wait_for_change();
  }
  jobs_.start();
}

void Generators::put_in_order(Bucket& due) const {
  if (!nodes_shared_) return;
  std::sort(due.begin(), due.end(), [](Event x, Event y) { return x.a < y.a; });
  if (state_.network.admittance_limit == UINT64_MAX) return;
  const auto sources_end =
      std::find_if(due.begin(), due.end(), [this](Event event) { return event.a >= first_trace_; });
  std::sort(due.begin(), sources_end, [this](Event x, Event y) { return turn_of(x.a) < turn_of(y.a); });
}

std::vector<std::pair<NodeId, NodeId>> Generators::plan_all(Bucket& due, std::vector<Planned>& of_jobs) {
  std::vector<std::pair<NodeId, NodeId>> messages;
  packets_planned_.resize(state_.network.nodes());
  std::sort(due.begin(), due.end(), [](Event x, Event y) { return x.a < y.a; });
  const Tick now = state_.wheel.now();
  for (const Event event : due) {
    if (event.a < first_trace_) {
      SourceStream stream = sources_[event.a];
      const NodeId node = sources_[event.a].node;
      while (tick_of(stream.next) <= now) {
        const std::uint32_t packets = stream.packets;
        const NodeId destination = stream.draw(node, stream.next, framing_);
        if (destination == kNone) break;
        messages.emplace_back(node, destination);
        packets_planned_[node] += packets;
      }
      continue;
    }
    state_.record.counters.events +=
        jobs_.act(event.a - first_job_, [&](NodeId& node, NodeId& destination, std::uint64_t bytes) {
          if (state_.network.has_hosts()) choose_way(node, destination);
          const PacketsOfMessage cut = framing_.cut(bytes);
          messages.emplace_back(node, destination);
          of_jobs.push_back({event.a, node, destination, cut});
          const std::uint32_t serial = waits_.nodes[node].next_serial + packets_planned_[node];
          packets_planned_[node] += cut.packets;
          return serial;
        });
  }
  for (const auto& [node, destination] : messages) packets_planned_[node] = 0;
  due.take_if([&](const Event& event) { return event.a >= first_trace_; });
  return messages;
}

void Generators::count_parts(std::uint32_t source, const Message& message, NodeId at, std::uint64_t bytes) {
  Record& record = state_.record;
  if (flow_of_ != nullptr)
    record.flows[flow_of_->of_generator[source]].counters.generate(message.packets, bytes);
  if (class_of_ == nullptr) return;
  const std::uint8_t service = service_of(state_, source, at, message.destination);
  record.classes[class_of_->of_service[service]].counters.generate(message.packets, bytes);
}

// The queue keeps as many messages as it may: later messages are only counted, and regenerated when they are
// needed.
void Generators::forget_later_messages(NodeId at, std::uint32_t queue) {
  const AdmittanceState::Node& node = waits_.nodes[at];
  NodeStream stream(node.next_serial);
  for (const std::uint32_t s : regenerated_[at]) stream.add(sources_[s], s);
  begin_tail(state_, at, queue, std::move(stream));
}

// Of a node of a job that sends to many others, one after the other. `last`: the message that was in the
// queue.
void Generators::forget_queue(NodeId at, std::uint32_t last, std::uint32_t queue) {
  const Message& message = waits_.messages[last];
  waits_.nodes[at].queue_of.erase(admittance_key(state_, message.source, at, message.destination));
  waits_.queues[queue] = {.next_active = waits_.free_queue};
  waits_.free_queue = queue;
}

}  // namespace headway
