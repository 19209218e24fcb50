// SPDX-License-Identifier: Apache-2.0
// The messages of jobs: announcements, answers and data, from their begin to their last byte.
#include <algorithm>
#include <array>
#include <utility>

#include "headway/engine/jobs.h"
#include "headway/engine/state.h"

namespace headway {

void Jobs::begin_message(Running& job, const At& at, StepKind kind, std::uint32_t cause) {
  const RankOp& it = job.ops[at.place];
  const bool is_back = kind == StepKind::clearance,
             is_announced = is_back || this->is_announced(job, at.place);
  const OpOfRank own = at.of_rank(), other{it.peer, it.partner};
  const OpOfRank send = is_back ? other : own, receive = is_back ? own : other;
  const NodeId node = job.nodes[own.rank], destination = job.nodes[other.rank];
  const std::uint32_t iteration = job.ranks[own.rank].iteration;
  const bool ends_send = kind == StepKind::data && (!job.job->buffered || is_announced);
  if (kind == StepKind::data) {
    ++job.record.messages;
    job.record.bytes += it.amount;
  }
  if (node != destination) {
    if (kind == StepKind::data && !job.last_sends.empty() && job.last_sends[own.rank] == own.number &&
        iteration + 1 == job.job->iterations)
      --(has_node(destination) ? last_sends_ : last_sends_abroad_);
    const std::uint64_t bytes =
        kind == StepKind::data ? std::max<std::uint64_t>(it.amount, 1) : job.job->control_bytes;
    const Tick begun = kind == StepKind::data && is_announced ? job.announced[at.place] : wheel_.now();
    generated_.push_back({node, destination, bytes, send, receive, ends_send ? at.place : kNone, iteration,
                          kind, begun, cause});
    return;
  }
  const Tick then = wheel_.now() + job.job->local_delay;
  job.busy_until = std::max(job.busy_until, then);
  const auto ends = [&](StepKind step) {
    return new_cause(job, {then, cause, send, iteration, kNone, 0, step});
  };
  if (ends_send)
    note(job, {then, send.rank, send.number, iteration, What::left, ends(StepKind::departure), at.place});
  if (is_back)
    note(job, {then, send.rank, send.number, iteration, What::cleared, ends(kind)});
  else
    note(job, {then, receive.rank, receive.number, iteration,
               kind == StepKind::data ? What::delivered : What::requested, ends(kind)});
}

inline Jobs::Flight& Jobs::add_flight(std::uint64_t key) {
  std::uint32_t id = free_flight_;
  if (id == kNone) {
    id = static_cast<std::uint32_t>(flights_.size());
    flights_.emplace_back();
  } else {
    free_flight_ = flights_[id].next_free;
  }
  ++moving_;
  flight_of_.at(key, id) = id;
  return flights_[id];
}

inline void Jobs::end_flight(std::uint32_t id, std::uint64_t key) {
  flight_of_.erase(key);
  --moving_;
  flights_[id].cause = kNone;
  flights_[id].next_free = free_flight_;
  free_flight_ = id;
}

void Jobs::flies(const NewMessage& message, std::uint32_t serial, std::uint32_t job) {
  const std::uint32_t packets = framing_.cut(message.bytes).packets;
  const bool stays = !is_part_ || has_node(message.destination);
  const MessageFlight flight{.source = message.node,
                             .destination = message.destination,
                             .message = serial,
                             .packets = packets,
                             .job = job,
                             .iteration = message.iteration,
                             .send = message.send,
                             .receive = message.receive,
                             .cause = message.cause,
                             .cause_part = number_,
                             .kind = message.kind,
                             .begun = message.begun};
  add_flight(flight_key(message.node, serial)) = {flight, packets, stays ? packets : 0, message.place, kNone};
  note_begin(message.node, message.destination);
  if (!is_part_) return;
  Tick& busy_until = jobs_[job].busy_until;
  busy_until = std::max(busy_until, wheel_.now() + least_time_of(message));
  if (stays) return;
  abroad_.push_back(flight);
  move_packets(first_generator_ + job, static_cast<std::int32_t>(packets));
}

// Its last byte follows the others over the link of its node.
Tick Jobs::least_time_of(const NewMessage& message) const {
  const Port& adapter = state_.network.ports[state_.network.adapter_port(message.node)];
  return std::max(tables_->fastest_message,
                  static_cast<Tick>(framing_.frames(message.bytes)) * adapter.ticks_per_byte);
}

void Jobs::await(const MessageFlight& flight) {
  add_flight(flight_key(flight.source, flight.message)) = {flight, 0, flight.packets, kNone, kNone};
}

void Jobs::leaves(const Packet& packet, const PacketOrigin& origin, Tick end) {
  if (!generates(origin.generator)) return;
  const std::uint64_t key = flight_key(packet.source, origin.message);
  const std::uint32_t id = flight_of_.value(key);
  Flight& flight = flights_[id];
  if (watch_ != nullptr && watch_->sees_left) watch_->left.push_back({id, packet.source, wheel_.now()});
  if (--flight.to_leave > 0) return;
  if (flight.place != kNone) {
    Running& job = jobs_[flight.job];
    const std::uint32_t cause = new_cause(job,
                                          {.tick = end,
                                           .op = flight.send,
                                           .iteration = flight.iteration,
                                           .node = packet.source,
                                           .serial = packet.serial,
                                           .kind = StepKind::departure},
                                          flight);
    note(job, {end, flight.send.rank, flight.send.number, flight.iteration, What::left, cause, flight.place});
  }
  if (flight.to_arrive == 0) end_flight(id, key);
}

void Jobs::delivered(const Packet& packet, const PacketOrigin& origin) {
  if (!generates(origin.generator)) return;
  const std::uint64_t key = flight_key(packet.source, origin.message);
  const std::uint32_t id = flight_of_.value(key);
  Flight& flight = flights_[id];
  if (watch_ != nullptr && watch_->sees_arrived)
    watch_->arrived.push_back({id, packet.source, packet.destination, packet.serial, origin.generator,
                               packet.length, origin.payload, wheel_.now(), origin.generated,
                               origin.injected});
  if (--flight.to_arrive > 0) return;
  Running& job = jobs_[flight.job];
  const Tick now = wheel_.now();
  const std::uint32_t cause = new_cause(job,
                                        {.tick = now,
                                         .op = flight.send,
                                         .iteration = flight.iteration,
                                         .node = packet.source,
                                         .serial = packet.serial,
                                         .kind = flight.kind},
                                        flight);
  if (flight.kind == StepKind::clearance)
    note(job, {now, flight.send.rank, flight.send.number, flight.iteration, What::cleared, cause});
  else
    note(job, {now, flight.receive.rank, flight.receive.number, flight.iteration,
               flight.kind == StepKind::data ? What::delivered : What::requested, cause});
  if (flight.kind == StepKind::data && listener_)
    listener_({flight.job, flight.send, flight.iteration, flight.begun, now, job.nodes[flight.send.rank],
               job.nodes[flight.receive.rank]});
  end_flight(id, key);
}

void Jobs::skip_packets(std::uint32_t message, std::uint32_t skipped) {
  static_assert(sizeof(Flight) == 72, "consider whether a skip changes the new member");
  Flight& flight = flights_[message];
  flight.to_leave -= skipped;
  flight.to_arrive -= skipped;
}

}  // namespace headway
