// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/naive_slotted.h"

#include <algorithm>
#include <cstddef>

namespace headway::slotted {

NaiveSlotted::NaiveSlotted(const Design& design, const Traffic& traffic, std::uint64_t seed)
    : design_(design),
      traffic_(traffic),
      net_(make_banyan(design.wiring, design.fan_in, design.fan_out, design.stages())),
      behind_(design.rules.queueing == Queueing::output_link) {
  for (std::uint32_t input = 0; input < net_.inputs(); ++input)
    source_rng_.emplace_back(seed, StreamKind::slotted, input);
  next_stream_ = std::uint64_t{1} << 32;
  seed_ = seed;
  if (!behind_) next_stream_ += net_.inputs();  // the links from the sources have streams, too
  for (std::uint32_t i = 0; i < net_.stages; ++i)
    for (std::uint32_t sw = 0; sw < net_.switches(i) * design.layers_at(i); ++sw) rng_of(i, sw);
  for (std::uint32_t q = 0; q < net_.outputs() * design.layers_at(net_.stages - 1); ++q)
    rng_of(net_.stages, q);
}

std::uint32_t NaiveSlotted::zone_of(std::uint32_t destination) const {
  std::uint32_t i = 0;
  while (i < net_.stages && net_.port(i, destination) == net_.port(i, traffic_.hotspot)) ++i;
  return net_.stages - i;
}

void NaiveSlotted::step() {
  ++slot_;
  for (auto& replication : full_before_) replication.clear();
  for (std::uint32_t replication = 0; replication < kReplications; ++replication)
    for (auto& [key, queue] : queues_[replication])
      full_before_[replication][key] = static_cast<std::uint32_t>(queue.size());

  if (behind_)
    for (std::uint32_t at = 0; at < net_.outputs() * design_.layers_at(net_.stages - 1); ++at) drain(at);
  for (std::uint32_t i = net_.stages; i-- > (behind_ ? 1U : 0U);) cross_stage(i);
  generate();
  if (behind_)
    cross_stage(0);
  else
    for (std::uint32_t at = 0; at < net_.inputs(); ++at) enter(at);
  for (std::uint32_t replication = 0; replication < kReplications; ++replication)
    for (std::uint32_t at = 0; at < net_.inputs(); ++at)
      if (design_.rules.when_full == WhenFull::drop) waiting_[replication].erase(at);
}

Rng& NaiveSlotted::rng_of(std::uint32_t stage, std::uint32_t sw) {
  const auto [it, fresh] = switch_rng_.try_emplace({stage, sw}, Rng());
  if (fresh) it->second = Rng(seed_, StreamKind::slotted, next_stream_++);
  return it->second;
}

bool NaiveSlotted::has_room(std::uint32_t replication, std::uint32_t link, std::uint32_t at, std::uint32_t c,
                            std::uint32_t stage) {
  const std::size_t taken =
      design_.rules.reuse ? queue(replication, link, at, c).size() : full_before_[replication][{link, at, c}];
  return taken < design_.depth(stage, c);
}

void NaiveSlotted::put(std::uint32_t replication, std::uint32_t link, std::uint32_t at, std::uint32_t c,
                       NaivePacket packet) {
  queue(replication, link, at, c).push_back(packet);
  ++full_before_[replication][{link, at, c}];
}

void NaiveSlotted::enter_count(std::uint32_t replication, NaivePacket& packet, std::uint32_t c) {
  packet.entered = slot_;
  ++count(replication, zone_of(packet.destination), c).entered;
}

void NaiveSlotted::deliver(std::uint32_t replication, const NaivePacket& packet, std::uint32_t c) {
  Count& zone = count(replication, zone_of(packet.destination), c);
  ++zone.delivered;
  zone.delay += slot_ - packet.entered;
}

std::array<int, kReplications> NaiveSlotted::pick(
    const std::array<std::vector<std::uint32_t>, kReplications>& requests, std::uint32_t count, Rng& rng) {
  std::size_t most = 0;
  for (const auto& replication : requests) most = std::max(most, replication.size());
  std::vector<Replications> replace = {0, kAll};
  for (std::size_t j = 2; j <= most; ++j)
    replace.push_back(count == 2 ? rng.next()
                                 : bernoulli(rng, Probability::of(1.0 / static_cast<double>(j))));
  std::array<int, kReplications> winner;
  winner.fill(-1);
  for (std::uint32_t replication = 0; replication < kReplications; ++replication)
    for (std::size_t j = 0; j < requests[replication].size(); ++j)
      if (replace[j + 1] >> replication & 1) winner[replication] = static_cast<int>(requests[replication][j]);
  return winner;
}

void NaiveSlotted::cross_stage(std::uint32_t i) {
  const std::uint32_t a = net_.fan_in, b = net_.fan_out, here = design_.layers_at(i), queues = per_link(i);
  const std::uint32_t next = i + 1 < net_.stages ? design_.layers_at(i + 1) : here;
  const bool last = i + 1 == net_.stages, by_receiver = design_.rules.spread == Spread::by_receiver;
  for (std::uint32_t y = 0; y < here; ++y)
    for (std::uint32_t sw = 0; sw < net_.switches(i); ++sw) {
      Rng& rng = rng_of(i, y * net_.switches(i) + sw);
      const std::uint32_t first_queue = (y * net_.switches(i) + sw) * a * queues;
      Turn turn;
      for (auto& replication : turn.done) replication.assign(a, false);
      for (auto& replication : turn.first) replication.assign(std::size_t{a} * b, false);
      for (std::uint32_t c = 0; c < design_.classes; ++c) {
        if (design_.rules.output_slots == OutputSlots::per_class) turn.used.clear();
        for (std::uint32_t replication = 0; replication < kReplications; ++replication) {
          turn.moved[replication].assign(std::size_t{a} * queues, false);
          turn.present[replication].clear();
          for (std::uint32_t q = 0; q < a * queues; ++q)
            turn.present[replication].push_back(head(replication, i, first_queue + q, c) != nullptr);
        }
        // the output that goes first, drawn where an input can have packets for several outputs
        std::array<std::uint32_t, kReplications> first{};
        if (queues > 1) first = draw_digit(rng);
        const std::uint32_t from = y * next / here, spread = (y + 1) * next / here - from;
        const std::uint32_t groups = by_receiver || (last && !behind_) ? 1 : spread;
        for (std::uint32_t step = 0; step < (queues > 1 ? b : 1); ++step)
          for (std::uint32_t o = 0; o < b; ++o)
            for (std::uint32_t g = 0; g < groups; ++g) {
              std::vector<std::uint32_t> sharing;  // input ports whose packets for o use this link
              for (std::uint32_t u = 0; u < a; ++u)
                if (u * groups / a == g) sharing.push_back(u);
              const std::uint32_t position = net_.link_to[i + 1][sw * b + o];
              const std::uint32_t layer = from + (by_receiver && !last ? position % a * spread / a : g);
              const auto at = static_cast<std::uint32_t>(layer * net_.link_to[i + 1].size() + position);
              const auto queue_of = [&](std::uint32_t u) { return u * queues + (queues > 1 ? o : 0); };
              const auto requests_link = [&](std::uint32_t replication, std::uint32_t u) {
                const std::uint32_t q = queue_of(u);
                if (!turn.present[replication][q] || turn.done[replication][u]) return false;
                for (std::uint32_t other = u * queues; other < (u + 1) * queues; ++other)
                  if (turn.moved[replication][other]) return false;
                const std::uint32_t destination = head(replication, i, first_queue + q, c)->destination;
                if (net_.port(i, destination) != o || turn.first[replication][u * b + o]) return false;
                if (!behind_ && turn.used.contains({o * groups + g, replication})) return false;
                if (last && !behind_) return true;
                return has_room(replication, i + 1, last ? at : place_of(i + 1, at, destination), c,
                                behind_ ? i : i + 1);
              };
              for (std::uint32_t round = 0; round < (behind_ ? a : 1U); ++round) {
                std::array<std::vector<std::uint32_t>, kReplications> requests;
                for (std::uint32_t replication = 0; replication < kReplications; ++replication)
                  for (const std::uint32_t u : sharing)
                    if ((queues == 1 || (first[replication] + step) % b == o) &&
                        requests_link(replication, u))
                      requests[replication].push_back(u);
                const auto winner = pick(requests, static_cast<std::uint32_t>(sharing.size()), rng);
                for (std::uint32_t replication = 0; replication < kReplications; ++replication) {
                  if (winner[replication] < 0) continue;
                  const std::uint32_t q = queue_of(static_cast<std::uint32_t>(winner[replication]));
                  turn.moved[replication][q] = true;
                  turn.used.insert({o * groups + g, replication});
                  NaivePacket packet = *head(replication, i, first_queue + q, c);
                  if (i == 0 && behind_) enter_count(replication, packet, c);
                  if (last && !behind_)
                    deliver(replication, packet, c);
                  else
                    put(replication, i + 1, last ? at : place_of(i + 1, at, packet.destination), c, packet);
                }
              }
            }
        for (std::uint32_t u = 0; u < a; ++u) {
          bool ends[kReplications] = {};
          for (std::uint32_t q = u * queues; q < (u + 1) * queues; ++q) {
            for (std::uint32_t replication = 0; replication < kReplications; ++replication)
              ends[replication] |=
                  turn.moved[replication][q] || (turn.present[replication][q] && !design_.rules.pass &&
                                                 design_.rules.precedence == Precedence::link);
            finish(i, first_queue + q, u, q, c, rng, turn);
          }
          for (std::uint32_t replication = 0; replication < kReplications; ++replication)
            if (ends[replication]) turn.done[replication][u] = true;
        }
      }
    }
}

void NaiveSlotted::finish(std::uint32_t i, std::uint32_t at, std::uint32_t u, std::uint32_t q,
                          std::uint32_t c, Rng& rng, Turn& turn) {
  const bool by_output = !design_.rules.pass && design_.rules.precedence == Precedence::output;
  std::vector<std::uint32_t> blocked;
  for (std::uint32_t replication = 0; replication < kReplications; ++replication) {
    if (!turn.present[replication][q]) continue;
    if (!turn.moved[replication][q]) {
      blocked.push_back(replication);
      if (by_output && i < net_.stages)
        turn.first[replication][u * net_.fan_out + net_.port(i, head(replication, i, at, c)->destination)] =
            true;
      continue;
    }
    if (i == 0 && behind_)
      waiting_[replication].erase(at);
    else
      queue(replication, i, at, c).pop_front();
  }
  if (blocked.empty() || (i == 0 && behind_)) return;
  if (design_.rules.blocked == Blocked::redraw) redraw(i, at, c, rng, blocked);
  if (design_.rules.blocked == Blocked::discard)
    for (const std::uint32_t replication : blocked) {
      ++count(replication, zone_of(queue(replication, i, at, c).front().destination), c).lost;
      queue(replication, i, at, c).pop_front();
    }
}

void NaiveSlotted::redraw(std::uint32_t i, std::uint32_t at, std::uint32_t c, Rng& rng,
                          const std::vector<std::uint32_t>& replications) {
  const std::uint32_t some = queue(replications.front(), i, at, c).front().destination;
  Replications hot = 0;
  if (c == traffic_.hotspot_class && net_.stages - zone_of(some) >= i) {
    double uniform = (1 - traffic_.hotspot_fraction) * traffic_.shares[c];
    for (std::uint32_t m = 0; m < i; ++m) uniform /= net_.fan_out;
    const double f = traffic_.hotspot_fraction;
    hot = bernoulli(rng, Probability::of(f > 0 ? f / (f + uniform) : 0));
  }
  for (const std::uint32_t replication : replications) {
    ++count(replication, zone_of(queue(replication, i, at, c).front().destination), c).lost;
  }
  for (std::uint32_t stage = i; stage < net_.stages; ++stage) {
    const auto drawn = draw_digit(rng);
    for (const std::uint32_t replication : replications) {
      const std::uint32_t digit =
          hot >> replication & 1 ? net_.port(stage, traffic_.hotspot) : drawn[replication];
      set_digit(queue(replication, i, at, c).front().destination, stage, digit);
    }
  }
  for (const std::uint32_t replication : replications)
    ++count(replication, zone_of(queue(replication, i, at, c).front().destination), c).entered;
}

void NaiveSlotted::drain(std::uint32_t at) {
  Turn turn;
  for (auto& replication : turn.done) replication.assign(1, false);
  for (std::uint32_t c = 0; c < design_.classes; ++c) {
    for (std::uint32_t replication = 0; replication < kReplications; ++replication) {
      Queue& from = queue(replication, net_.stages, at, c);
      turn.present[replication].assign(1, !from.empty());
      turn.moved[replication].assign(1, !from.empty() && !turn.done[replication][0]);
      if (turn.moved[replication][0]) deliver(replication, from.front(), c);
      if (turn.moved[replication][0]) turn.done[replication][0] = true;
    }
    finish(net_.stages, at, 0, 0, c, rng_of(net_.stages, at), turn);
  }
}

void NaiveSlotted::enter(std::uint32_t at) {
  for (std::uint32_t replication = 0; replication < kReplications; ++replication) {
    const auto it = waiting_[replication].find(at);
    if (it == waiting_[replication].end()) continue;
    const std::uint32_t place = place_of(0, at, it->second.packet.destination);
    if (!has_room(replication, 0, place, it->second.priority, 0)) continue;
    enter_count(replication, it->second.packet, it->second.priority);
    put(replication, 0, place, it->second.priority, it->second.packet);
    waiting_[replication].erase(it);
  }
}

const NaivePacket* NaiveSlotted::head(std::uint32_t replication, std::uint32_t link, std::uint32_t at,
                                      std::uint32_t c) {
  if (link == 0 && behind_) {
    const auto it = waiting_[replication].find(at);
    return it != waiting_[replication].end() && it->second.priority == c ? &it->second.packet : nullptr;
  }
  const Queue& from = queue(replication, link, at, c);
  return from.empty() ? nullptr : &from.front();
}

std::array<std::uint32_t, kReplications> NaiveSlotted::draw_digit(Rng& rng) {
  std::uint32_t bits = 0;
  while ((1U << bits) < net_.fan_out) ++bits;
  std::array<Replications, 8> planes{};
  uniform_digit(rng, net_.fan_out, bits, planes.data());
  std::array<std::uint32_t, kReplications> digits{};
  for (std::uint32_t replication = 0; replication < kReplications; ++replication)
    for (std::uint32_t j = 0; j < bits; ++j)
      digits[replication] = digits[replication] * 2 + (planes[j] >> replication & 1);
  return digits;
}

void NaiveSlotted::set_digit(std::uint32_t& destination, std::uint32_t stage, std::uint32_t digit) const {
  std::uint32_t weight = 1;
  for (std::uint32_t k = net_.stages - 1; k > net_.digit_of[stage]; --k) weight *= net_.fan_out;
  destination = destination - net_.port(stage, destination) * weight + digit * weight;
}

void NaiveSlotted::generate() {
  for (std::uint32_t input = 0; input < net_.inputs(); ++input) {
    Rng& rng = source_rng_[input];
    const std::uint32_t at = net_.link_to[0][input];
    Replications fresh = bernoulli(rng, Probability::of(traffic_.load));
    for (std::uint32_t replication = 0; replication < kReplications; ++replication)
      if (waiting_[replication].contains(at)) fresh &= ~(Replications{1} << replication);
    if (fresh == 0) continue;
    const Replications hot = bernoulli(rng, Probability::of(traffic_.hotspot_fraction));
    std::array<std::uint32_t, kReplications> destination{};
    for (std::uint32_t stage = 0; stage < net_.stages; ++stage) {
      const auto digit = draw_digit(rng);
      for (std::uint32_t replication = 0; replication < kReplications; ++replication)
        set_digit(destination[replication], stage, digit[replication]);
    }
    std::array<std::uint32_t, kReplications> priority;
    priority.fill(design_.classes - 1);
    Replications undecided = kAll;
    double rest = 1;
    for (std::uint32_t c = 0; c + 1 < design_.classes; ++c) {
      const double given = rest > 0 ? std::min(1.0, traffic_.shares[c] / rest) : 1.0;
      const Replications mine = undecided & bernoulli(rng, Probability::of(given));
      rest -= traffic_.shares[c];
      for (std::uint32_t replication = 0; replication < kReplications; ++replication)
        if (mine >> replication & 1) priority[replication] = c;
      undecided &= ~mine;
    }
    for (std::uint32_t replication = 0; replication < kReplications; ++replication) {
      if ((fresh >> replication & 1) == 0) continue;
      if (hot >> replication & 1)
        waiting_[replication][at] = {{traffic_.hotspot, 0}, traffic_.hotspot_class};
      else
        waiting_[replication][at] = {{destination[replication], 0}, priority[replication]};
    }
  }
}

}  // namespace headway::slotted
