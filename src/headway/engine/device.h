// SPDX-License-Identifier: Apache-2.0
// The records that the engine keeps of queues, ports and devices. A hop touches few cache lines: one per
// device and one per port.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "headway/base/ids.h"

namespace headway {

struct Queue {
  PacketId head = kNone;
  PacketId tail = kNone;
  std::uint32_t target = 0;        // of the head; the sink if the head needs no more room
  PortId output = 0;               // of the head; kNone: not yet chosen
  std::uint32_t next_request = 0;  // the queue behind it in its request list
  std::uint32_t length = 0;        // with pauses, a lane can hold more than 65,535 short packets
  std::uint32_t longest = 0;       // since the last reset
};
static_assert(sizeof(Queue) == 28);

// A list of the queues of one input that request one output, linked by Queue::next_request. Crossbar knows
// whether the list is empty. Queues are named by the last 16 bits of their ids, which are unique within a
// port, so that a switch's lists take few cache lines.
struct RequestList {
  std::uint16_t first = 0;
  std::uint16_t last = 0;
};

// A port: the constants that a hop needs, and the variables of its output side. The constants describe the
// port and the switch behind its link (behind the link of its output unit, if it has one).
struct alignas(64) PortState {
  std::uint64_t requests = 0;  // of Crossbar: inputs that request this output
  std::uint64_t bytes_sent = 0;
  PortId peer = kNone;    // input behind the link
  PortId source = kNone;  // output that feeds this input
  std::uint32_t owner = 0;
  std::uint32_t first_queue = 0;  // of the input side
  std::uint32_t delay = 0;  // of the outgoing link; to another part of the run (parts.h): plus Wheel::kAbroad
  std::uint32_t credit_delay = 0;  // of the incoming link; from another part of the run: plus Wheel::kAbroad
  std::uint32_t ticks_per_byte = 0;
  SwitchId next_switch = kNone;        // behind the outgoing link; kNone: a node
  PortId next_first_port = 0;          // of that switch
  std::uint32_t next_first_queue = 0;  // of the peer; of a node: Network::account_of_node
  std::uint16_t local = 0;             // number within the owner
  std::uint16_t next_local = 0;        // of the peer
  std::uint16_t next_input = 0;        // pointer of the output; one past the last input stands for the first
  std::uint16_t next_queue = 0;        // most_room: pointer among the channels of the peer
};
static_assert(sizeof(PortState) == 64);

// The data of a device that every round needs.
struct alignas(64) Device {
  std::array<std::uint64_t, 4> crossbar{};  // of Crossbar
  std::uint64_t shuffle = 0;                // mix64(its number)
  PortId first_port = 0;
  std::uint32_t first_list = kNone;  // kNone: its inputs have at most one queue per output
  std::uint16_t radix = 0;
  std::uint16_t channels = 1;  // queues per group behind its outputs; the device chooses one when it sends
  std::uint32_t first_queue = 0;
  std::uint16_t queues_per_input = 0;  // 0: the inputs have different numbers of queues
  bool touched = false;                // will arbitrate at the end of this tick
  bool asks = false;                   // has heads that will choose outputs at the end of this tick
  std::uint32_t turn = 0;              // state of its selection function (next_turn)
};
static_assert(sizeof(Device) == 64);

// The packet that an output sends, or sent last, what generated it, and the input that it came from. Feedback
// is no packet. Of the input side of the same port: the output to which it sends, or sent last. Numbers are
// those at the device. The packet has another id if it has gone to another part of the run (parts.h).
struct SentPacket {
  PacketId packet = kNone;
  std::uint32_t generator = kNone;
  std::uint16_t input = 0;
  std::uint16_t sends_to = 0;
};

// What a switch remembers of flows that share an entry of its table (flow_table.h).
struct FlowEntry {
  std::uint64_t last = 0;    // when the last packet took its output, or its message
  std::uint32_t output = 0;  // its number at the switch, plus 1; 0: no packet has taken one
};

// A link that can go down, or change its rate, during the run.
struct LinkNow {
  bool down = false;
  bool held = false;      // it is down, so that its output sends nothing
  bool idle = false;      // it is held, and would be free
  bool outlasts = false;  // of the last transfer: Network::link_outlasts
};

// The devices with an event in this tick, each listed once; the device's mark `kMark` prevents duplicates.
template <bool Device::* kMark>
struct Marked {
  std::vector<std::uint32_t> devices;  // only the first `count` are valid
  std::uint32_t count = 0;

  void reserve(std::uint32_t most) { devices.resize(most + 1); }
  static std::uint64_t bytes(std::uint64_t most) { return (most + 1) * sizeof(std::uint32_t); }

  // Always writes the entry and counts it only if needed, because a branch would be unpredictable.
  void add_if(bool happened, Device& device, std::uint32_t id) {
    devices[count] = id;
    count += static_cast<std::uint32_t>(device.*kMark < happened);
    device.*kMark |= happened;
  }
};
using Touched = Marked<&Device::touched>;

}  // namespace headway
