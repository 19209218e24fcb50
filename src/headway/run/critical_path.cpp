// SPDX-License-Identifier: Apache-2.0
#include "headway/run/critical_path.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <utility>

namespace headway {
namespace {

constexpr std::uint64_t kTicksAtOnce = 4096;  // while no step of a path has begun

// Follows the packet of each step of a path, one after the other.
class Follower {
 public:
  Follower(CriticalPath& path, const Network& network, PathWatch& watch)
      : path_(&path), network_(&network), watch_(&watch) {
    skip_to_message();
  }

  bool is_done() const { return at_ == path_->steps.size(); }
  // Its step has begun at this tick or before.
  bool looks(Tick now) const { return now >= step().begin; }
  Tick next(Tick now) const { return looks(now) ? step().end : step().begin; }

  // Sees the state after a tick.
  void look(const StateView& view) {
    const PortId before = packet_.input;
    wait_ = watch_->look(view, packet_);
    if (packet_.input != before && packet_.input != kNone)
      links_.push_back(network_->graph.source_of(packet_.input));
    if (packet_.id != kNone) destination_ = view.packet(packet_.id).destination;
    // what happens to a packet behind its node does not delay its departure
    if (is_departure() && wait_ && wait_->at != network_->adapter_port(step().node)) wait_.reset();
  }
  // What it has seen lasts for this time, until a tick.
  void go_on(Tick ticks, Tick until) {
    if (wait_) waits_[*wait_] += ticks;
    if (until < step().end) return;
    path_->steps[at_].waits.assign(waits_.begin(), waits_.end());
    waits_.clear();
    finish_links();
    ++at_;
    skip_to_message();
  }

 private:
  const PathStep& step() const { return path_->steps[at_].step; }
  bool is_departure() const { return step().kind == StepKind::departure; }
  // The packet has left its node, or has been delivered.
  void finish_links() {
    const Graph& graph = network_->graph;
    if (is_departure())
      links_ = {graph.node_port(step().node)};
    else
      links_.push_back(graph.source_of(graph.node_port(destination_)));
    path_->steps[at_].links = std::exchange(links_, {});
  }
  void skip_to_message() {
    while (!is_done() && step().node == kNone) ++at_;
    if (!is_done()) packet_ = {step().node, step().serial};
  }

  CriticalPath* path_;
  const Network* network_;
  PathWatch* watch_;
  std::size_t at_ = 0;     // step
  FollowedPacket packet_;  // of the step
  NodeId destination_ = kNone;
  std::optional<PacketWait> wait_;
  std::map<PacketWait, Tick> waits_;  // of this step
  std::vector<PortId> links_;         // of this step, so far
};

}  // namespace

std::vector<CriticalPath> watch_critical_paths(const JobsOfRun& run, const FlowNumbers& flows, Drive& again,
                                               std::uint64_t seed) {
  const std::vector<Job>& jobs = run.workload.jobs;
  std::vector<CriticalPath> paths;
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    if (jobs[job].background || run.jobs.record(job).finish < 0) continue;
    CriticalPath& path = paths.emplace_back(CriticalPath{job, {}});
    for (const PathStep& step : run.jobs.critical_path(job)) path.steps.push_back({step, {}});
  }
  PathWatch watch(run.network, flows, seed);
  std::vector<Follower> followers;
  for (CriticalPath& path : paths) followers.emplace_back(path, run.network, watch);
  for (Tick now = -1;;) {
    std::erase_if(followers, std::mem_fn(&Follower::is_done));
    if (followers.empty()) return paths;
    Tick next = followers.front().next(now);
    bool any_looks = false;
    for (Follower& follower : followers) {
      next = std::min(next, follower.next(now));
      if (!follower.looks(now)) continue;
      any_looks = true;
      follower.look(again.view());
    }
    // what a packet waits for changes at ticks with events only
    const std::uint64_t most = any_looks ? 1 : kTicksAtOnce;
    const Tick then = again.advance_ticks(next + 1, most) == most ? again.view().now() - 1 : next;
    for (Follower& follower : followers)
      if (follower.looks(now)) follower.go_on(then - now, then);
    now = then;
  }
}

}  // namespace headway
