// SPDX-License-Identifier: Apache-2.0
// Numbers of a report about waiting, as people read them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "headway/base/time_text.h"
#include "headway/metrics/result.h"

namespace headway {

// A mean number of packets, without its unit: "0.25", "4266".
std::string packets_text(double packets);
// A number of things, rounded: "1 queue", "12 queues".
std::string counted(double count, std::string_view one);
// A mean number of packets with its unit: "1 packet", "4266 packets".
std::string mean_packets(double packets);
// "1 packet waits", "4266 packets wait"
std::string packets_wait(double packets);
std::string percent(double share);
// "storage, background and backup"
std::string and_list(const std::vector<std::string>& names);
// Why the verdict on a run is not ok, without a full stop: "It is saturated: ..." if `run` is "It". Empty if
// it is ok, or the run is deadlocked.
std::string verdict_text(const Result& result, std::string_view run);

}  // namespace headway
