// SPDX-License-Identifier: Apache-2.0
// The names of metrics that the program itself reads in results. Their definitions use them, too.
#pragma once

#include <string_view>

namespace headway::metrics {

inline constexpr std::string_view offered_load = "offered_load";
inline constexpr std::string_view accepted_load = "accepted_load";
inline constexpr std::string_view goodput = "goodput";
inline constexpr std::string_view latency_mean_ns = "latency_mean_ns";
inline constexpr std::string_view packets_delivered = "packets_delivered";
inline constexpr std::string_view latency_p90_ns = "latency_p90_ns";
inline constexpr std::string_view latency_p99_ns = "latency_p99_ns";
inline constexpr std::string_view slowdown_p99 = "slowdown_p99";
inline constexpr std::string_view network_efficiency = "network_efficiency";
inline constexpr std::string_view makespan_ns = "makespan_ns";
inline constexpr std::string_view node_wait_mean_ns = "node_wait_mean_ns";
inline constexpr std::string_view turnaround_mean_ns = "turnaround_mean_ns";
inline constexpr std::string_view job_slowdown_mean = "job_slowdown_mean";
inline constexpr std::string_view nodes_taken = "nodes_taken";
inline constexpr std::string_view fair_efficiency = "fair_efficiency";
inline constexpr std::string_view jain_index = "jain_index";
inline constexpr std::string_view victims = "victims";
inline constexpr std::string_view saturation_load = "saturation_load";
inline constexpr std::string_view saturation_load_low = "saturation_load_low";
inline constexpr std::string_view saturation_load_high = "saturation_load_high";
inline constexpr std::string_view saturation_limit = "saturation_limit";
inline constexpr std::string_view warmup_ns = "warmup_ns";
inline constexpr std::string_view duration_ns = "duration_ns";
inline constexpr std::string_view queues_per_port = "queues_per_port";
inline constexpr std::string_view cam_lines_per_port = "cam_lines_per_port";
inline constexpr std::string_view lanes = "lanes";
inline constexpr std::string_view out_of_order_packets = "out_of_order_packets";
inline constexpr std::string_view events = "events";
inline constexpr std::string_view port_memory_bytes = "port_memory_bytes";
inline constexpr std::string_view pauses = "pauses";
inline constexpr std::string_view paused_share = "paused_share";
inline constexpr std::string_view paused_half = "paused_half";
inline constexpr std::string_view packets_lost = "packets_lost";
inline constexpr std::string_view links_down = "links_down";
inline constexpr std::string_view transit_ns = "transit_ns";
inline constexpr std::string_view wait_admittance_ns = "wait_admittance_ns";
inline constexpr std::string_view wait_room_ns = "wait_room_ns";
inline constexpr std::string_view wait_output_ns = "wait_output_ns";
inline constexpr std::string_view wait_serial_ns = "wait_serial_ns";
inline constexpr std::string_view wait_input_ns = "wait_input_ns";
inline constexpr std::string_view hol_blocking_ns = "hol_blocking_ns";
inline constexpr std::string_view wait_limited_ns = "wait_limited_ns";
inline constexpr std::string_view wait_paused_ns = "wait_paused_ns";
inline constexpr std::string_view hol_movable_ns = "hol_movable_ns";
inline constexpr std::string_view victim_wait_ns = "victim_wait_ns";
inline constexpr std::string_view photographs = "photographs";
inline constexpr std::string_view closed_loop = "closed_loop";
inline constexpr std::string_view links_busy = "links_busy";
inline constexpr std::string_view links_feedback = "links_feedback";
inline constexpr std::string_view links_unwanted = "links_unwanted";
inline constexpr std::string_view links_starved = "links_starved";
inline constexpr std::string_view links_lost_hol = "links_lost_hol";
inline constexpr std::string_view links_lost_input = "links_lost_input";
inline constexpr std::string_view links_lost_room = "links_lost_room";
inline constexpr std::string_view links_throttled = "links_throttled";
inline constexpr std::string_view starved_heads = "starved_heads";
inline constexpr std::string_view outranked_heads = "outranked_heads";
inline constexpr std::string_view cfq_allocations_refused = "cfq_allocations_refused";
inline constexpr std::string_view cut_off_pairs = "cut_off_pairs";
inline constexpr std::string_view cut_off_share = "cut_off_share";

// A column of every table over time.
inline constexpr std::string_view time_ns = "time_ns";

}  // namespace headway::metrics
