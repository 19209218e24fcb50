// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/snapshot_metrics.h"

#include "headway/metrics/units.h"

namespace headway {
namespace {

constexpr Metric of_snapshot(std::string_view name, std::string_view unit, std::string_view help) {
  return {name, unit, help, Needs::nothing, kSnapshotTable};
}

constexpr Metric kSnapshotMetrics[] = {
    of_snapshot(
        "occupancy", "fraction of memory",
        "packets in the queues of the port's input side, divided by the packets of full size that fit "
        "in their memory; at most 1"),
    of_snapshot("queue_packets", "packets", "packets in the queues of the port's input side"),
    of_snapshot("lane_packets", "packets",
                "packets in the queues of this lane of the port: the routing needs lanes, and each has all "
                "queues of the queueing scheme"),
    of_snapshot("capacity", "packets", "packets of full size that fit in this memory"),
    of_snapshot("room_packets", "packets",
                "packets in queues of the port whose heads wait for room in the queue behind their output"),
    of_snapshot("port_hol_packets", "packets",
                "packets in the queues of the port that are behind a head that needs something else: "
                "head-of-line blocking"),
    of_snapshot(
        "port_victim_packets", "packets",
        "packets in the queues of the port that wait for a root of congestion that they do not cross"),
    of_snapshot("link_state", kNumber, "what the link that leaves the port did at this instant"),
    of_snapshot("lines", "lines",
                "lines of isolation in use at the port: queues for congested flows (CFQs or SAQs)"),
    of_snapshot("node_backlog_packets", "packets",
                "packets that the node has generated and that are not yet in an injection queue"),
    of_snapshot("sent_load", kLoad, "bytes that the node has sent since the previous snapshot"),
    of_snapshot("received_load", kLoad, "bytes that the node has received since the previous snapshot"),
};

}  // namespace

std::span<const Metric> snapshot_metrics() { return kSnapshotMetrics; }

}  // namespace headway
