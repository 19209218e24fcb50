// SPDX-License-Identifier: Apache-2.0
// Compares what the engine counts of flows and of messages with the same from the lists of the reference
// simulator.
#pragma once

#include <string>
#include <vector>

#include "headway/engine/simulation.h"
#include "headway/metrics/messages.h"
#include "tests/reference/reference.h"

namespace headway::reference {

// Empty if all are the same: the packets, bytes and latencies of every flow, with their histograms.
std::string difference_of_flows(const Record& record, const Network& network, const FlowNumbers& flows,
                                const Reference& naive);

// Empty if all are the same: numbers, completion times and slowdowns of the messages of every flow and size.
std::string difference_of_messages(const MessageTimes& messages, const Network& network,
                                   const Workload& workload, const FlowNumbers& flows,
                                   const Reference& naive);

}  // namespace headway::reference
