// SPDX-License-Identifier: Apache-2.0
#include "headway/slotted/stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "headway/base/error.h"

namespace headway::slotted {
namespace {

constexpr std::uint32_t kMaxDigitPlanes = 32, kMaxPlanes = 2 * kMaxDigitPlanes;

// Chooses a winner in each replication among the requesters, with equal probability (the j-th requester
// replaces the current winner with probability 1/j).
void pick_one(Replications* request, std::uint32_t count, Rng& rng) {
  if (count == 1) return;
  if (count == 2) {
    if (const Replications conflict = request[0] & request[1]; conflict != 0) {
      const Replications coin = rng.next();
      request[0] &= ~(conflict & coin);
      request[1] &= ~(conflict & ~coin);
    }
    return;
  }
  std::array<Replications, kMaxFan + 1> seen{kAll};  // [j]: at least j requesters so far
  for (std::uint32_t u = 0; u < count; ++u)
    for (std::uint32_t j = u + 1; j > 0; --j) seen[j] |= seen[j - 1] & request[u];
  std::array<Replications, kMaxFan + 1> replace{0, kAll};  // [j]
  for (std::uint32_t j = 2; j <= count && seen[j] != 0; ++j)
    replace[j] = bernoulli(rng, Probability::of(1.0 / j));
  std::fill_n(seen.begin() + 1, count, Replications{0});
  for (std::uint32_t u = 0; u < count; ++u) {
    Replications wins = 0;
    for (std::uint32_t j = u + 1; j > 0; --j) {
      wins |= request[u] & seen[j - 1] & ~seen[j] & replace[j];
      seen[j] |= seen[j - 1] & request[u];
    }
    for (std::uint32_t v = 0; v < u; ++v) request[v] &= ~wins;
    request[u] = wins;
  }
}

}  // namespace

Stages::Stages(const Plan& plan, std::uint64_t seed, std::uint64_t slots) : plan_(plan) {
  if (plan.rules.loses_destinations()) stamp_planes_ = static_cast<std::uint32_t>(std::bit_width(slots));
  for (std::uint32_t input = 0; input < plan.source_queue.size(); ++input)
    source_rng_.emplace_back(seed, StreamKind::slotted, input);
  std::uint64_t stream = std::uint64_t{1} << 32;
  for (const Hop& hop : plan.hops) {
    auto& rngs = switch_rng_.emplace_back();
    for (std::uint32_t sw = 0; sw < hop.switches(); ++sw)
      rngs.emplace_back(seed, StreamKind::slotted, stream++);
  }
  for (const Level& level : plan.levels) {
    const std::size_t places = std::size_t{level.queues} * level.places;
    const std::uint32_t planes = level.planes + stamp_planes_;
    stores_.push_back({level.planes,
                       planes,
                       level.per_link,
                       level.places,
                       level.first_place,
                       std::vector<Replications>(places),
                       std::vector<Replications>(places * planes),
                       {}});
    if (!plan.rules.reuse) stores_.back().taken.resize(places);
  }
  const std::size_t cells = std::size_t{plan.zones()} * plan.classes;
  for (auto* counter : {&counters_.entered, &counters_.left, &counters_.lost, &counters_.delay})
    counter->resize(cells);
  for (auto* counter : {&counters_.offered, &counters_.blocked}) counter->resize(plan.classes);
}

void Stages::step() {
  ++slot_;
  if (!plan_.rules.reuse)
    for (Store& store : stores_) std::ranges::copy(store.used, store.taken.begin());
  for (auto h = static_cast<std::uint32_t>(plan_.hops.size()); h-- > 0;) {
    if (h == 0) generate();
    const Hop& hop = plan_.hops[h];
    if (hop.fan_in == 1)
      advance<1, 1>(h);
    else if (hop.fan_in == 2 && hop.fan_out == 2)
      advance<2, 2>(h);
    else
      advance<0, 0>(h);
  }
  clear_sources();
}

// Moves packets through the switches of a hop. kIn x kOut is the size of the switch; 0 x 0 means any size.
// `kDivided`: input links, of this hop or the next one, have a queue for each output.
template <std::uint32_t kIn, std::uint32_t kOut, bool kDivided>
class Stages::Crossing {
 public:
  Crossing(Stages& stages, std::uint32_t h)
      : stages_(stages),
        plan_(stages.plan_),
        h_(h),
        hop_(plan_.hops[h]),
        from_(stages.stores_[h]),
        to_(h + 1 == plan_.hops.size() ? nullptr : &stages.stores_[h + 1]),
        fan_in_(kIn != 0 ? kIn : hop_.fan_in),
        fan_out_(kOut != 0 ? kOut : hop_.fan_out),
        per_link_(kDivided ? from_.per_link : 1) {}

  [[gnu::always_inline]] void cross(std::uint32_t sw) {
    sw_ = sw;
    first_link_ = hop_.first_link[sw];
    width_ = (hop_.first_link[sw + 1] - first_link_) / fan_out_;
    std::fill_n(link_free_.begin(), width_ * fan_out_, kAll);
    std::fill_n(may_send_.begin(), fan_in_, kAll);
    std::fill_n(goes_first_.begin(), fan_in_ * fan_out_, Replications{0});
    for (std::uint32_t c = 0; c < plan_.classes; ++c) {
      if (plan_.rules.output_slots == OutputSlots::per_class)
        std::fill_n(link_free_.begin(), width_ * fan_out_, kAll);
      look_at_heads(c);
      if (kDivided && per_link_ > 1)
        serve_in_drawn_order(c);
      else
        for (std::uint32_t o = 0; o < fan_out_; ++o) serve(o, kAll, c);
      leave_queues(c);
    }
  }

 private:
  [[gnu::always_inline]] void look_at_heads(std::uint32_t c) {
    for (std::uint32_t u = 0; u < fan_in_; ++u) {
      moved_[u] = 0;
      for (std::uint32_t q = u * per_link_; q < (u + 1) * per_link_; ++q) {
        const std::uint32_t at = from_.place(sw_ * fan_in_ * per_link_ + q, c);
        head_[q] = from_.used[at] & may_send_[u];
        moved_from_[q] = 0;
        tag_[q] = from_.tag(at);
      }
    }
  }

  // An input link with packets for several outputs sends one of them, so the first output gets more. The
  // outputs take turns from a drawn one on.
  void serve_in_drawn_order(std::uint32_t c) {
    std::array<Replications, kMaxDigitPlanes> first;
    uniform_digit(stages_.switch_rng_[h_][sw_], fan_out_, hop_.bits, first.data());
    for (std::uint32_t turn = 0; turn < fan_out_; ++turn)
      for (std::uint32_t o = 0; o < fan_out_; ++o)
        serve(o, equals(first.data(), hop_.bits, (o + fan_out_ - turn) % fan_out_), c);
  }

  // Output o, in these replications.
  [[gnu::always_inline]] void serve(std::uint32_t o, Replications where, std::uint32_t c) {
    for (std::uint32_t g = 0, from = 0; g < width_; ++g) {
      const std::uint32_t to = ((g + 1) * fan_in_ + width_ - 1) / width_;
      send_over(o * width_ + g, o, from, to, where, c);
      from = to;
    }
  }

  // The queue of an input with packets for an output.
  std::uint32_t queue_for(std::uint32_t u, std::uint32_t o) const {
    return kDivided && per_link_ > 1 ? u * per_link_ + o : u;
  }

  // Inputs from .. to-1 share this link of output o.
  [[gnu::always_inline]] void send_over(std::uint32_t link, std::uint32_t o, std::uint32_t from,
                                        std::uint32_t to, Replications where, std::uint32_t c) {
    const std::uint32_t target = hop_.target[first_link_ + link];
    const std::uint32_t rounds = hop_.one_write || to_ == nullptr ? 1 : std::min(to - from, to_->depth(c));
    for (std::uint32_t round = 0; round < rounds; ++round) {
      Replications open = link_free_[link] & where;
      if (to_ != nullptr && !has_divided_target()) open &= to_->room(target, c);
      std::array<Replications, kSide> wins;
      Replications any = 0;
      for (std::uint32_t u = from; u < to; ++u) {
        const std::uint32_t q = queue_for(u, o);
        wins[u] =
            head_[q] & ~moved_[u] & ~goes_first_[u * fan_out_ + o] & open & equals(tag_[q], hop_.bits, o);
        if (has_divided_target() && wins[u] != 0) wins[u] &= room_by_digit(target, tag_[q], c);
        any |= wins[u];
      }
      if (any == 0) break;
      pick_one(wins.data() + from, to - from, stages_.switch_rng_[h_][sw_]);
      for (std::uint32_t u = from; u < to; ++u) {
        moved_[u] |= wins[u];
        if (kDivided) moved_from_[queue_for(u, o)] |= wins[u];
      }
      if (hop_.one_write) link_free_[link] &= ~any;
      if (to_ == nullptr)
        deliver(plan_.zone_of[target] * plan_.classes + c, any, o, wins.data(), from, to);
      else
        enter_queue(target, o, c, any, wins.data(), from, to);
    }
  }

  bool has_divided_target() const { return kDivided && to_ != nullptr && to_->per_link > 1; }

  // The replications in which the queue that the packet needs behind this link has room.
  Replications room_by_digit(std::uint32_t target, const Replications* tag, std::uint32_t c) const {
    Replications room = 0;
    for (std::uint32_t digit = 0; digit < to_->per_link; ++digit)
      room |= equals(tag + hop_.bits, plan_.digit_bits, digit) & to_->room(target * to_->per_link + digit, c);
    return room;
  }

  // One plane of the packets that have won.
  [[gnu::always_inline]] Replications plane_of(std::uint32_t j, std::uint32_t o, const Replications* wins,
                                               std::uint32_t from, std::uint32_t to) const {
    Replications bits = 0;
    for (std::uint32_t u = from; u < to; ++u) bits |= tag_[queue_for(u, o)][j] & wins[u];
    return bits;
  }

  [[gnu::always_inline]] void deliver(std::uint32_t cell, Replications any, std::uint32_t o,
                                      const Replications* wins, std::uint32_t from, std::uint32_t to) {
    stages_.counters_.left[cell].add(any);
    Replications borrow = 0;
    for (std::uint32_t j = 0; j < stages_.stamp_planes_; ++j) {  // this slot minus the stamp, bit by bit
      const Replications stamp = plane_of(from_.digit_planes + j, o, wins, from, to);
      const Replications now = stages_.slot_ >> j & 1 ? any : 0;
      const Replications difference = now ^ stamp ^ borrow;
      borrow = (~now & (stamp | borrow)) | (stamp & borrow);
      if (difference != 0) stages_.counters_.delay[cell].add(difference, j);
    }
  }

  [[gnu::always_inline]] void enter_queue(std::uint32_t target, std::uint32_t o, std::uint32_t c,
                                          Replications any, const Replications* wins, std::uint32_t from,
                                          std::uint32_t to) {
    std::array<Replications, kMaxPlanes> payload;
    for (std::uint32_t j = hop_.bits; j < from_.planes; ++j) payload[j] = plane_of(j, o, wins, from, to);
    if (h_ == 0)
      for (std::uint32_t j = 0; j < stages_.stamp_planes_; ++j)
        payload[from_.digit_planes + j] = stages_.slot_ >> j & 1 ? any : 0;
    const Replications* const rest = payload.data() + hop_.bits;
    if (!has_divided_target()) return to_->push(target, c, any, rest);
    for (std::uint32_t digit = 0; digit < to_->per_link; ++digit) {
      const Replications here = any & equals(rest, plan_.digit_bits, digit);
      if (here == 0) continue;
      std::array<Replications, kMaxPlanes> of_digit;
      for (std::uint32_t j = 0; j < to_->planes; ++j) of_digit[j] = rest[j] & here;
      to_->push(target * to_->per_link + digit, c, here, of_digit.data());
    }
  }

  [[gnu::always_inline]] void leave_queues(std::uint32_t c) {
    const Rules& rules = plan_.rules;
    for (std::uint32_t u = 0; u < fan_in_; ++u) {
      Replications waiting_here = 0;
      for (std::uint32_t q = u * per_link_; q < (u + 1) * per_link_; ++q) {
        const std::uint32_t queue = sw_ * fan_in_ * per_link_ + q;
        const Replications moved = kDivided ? moved_from_[q] : moved_[u];
        const Replications waiting = from_.used[from_.place(queue, c)] & ~moved;
        waiting_here |= waiting;
        if (!rules.pass && rules.precedence == Precedence::output)
          for (std::uint32_t o = 0; o < fan_out_; ++o)
            goes_first_[u * fan_out_ + o] |= waiting & equals(tag_[q], hop_.bits, o);
        if (h_ == 0 && moved != 0) stages_.count_by_zone(stages_.counters_.entered, c, moved, tag_[q], 0, 0);
        if (h_ > 0 && waiting != 0 && rules.blocked != Blocked::wait)
          stages_.abandon(h_, sw_, queue, c, waiting);
        from_.pop(queue, c, rules.blocked == Blocked::discard && h_ > 0 ? moved | waiting : moved);
      }
      const bool holds_back = !rules.pass && rules.precedence == Precedence::link;
      may_send_[u] &= ~(holds_back ? moved_[u] | waiting_here : moved_[u]);
    }
  }

  static constexpr std::uint32_t kSide = kIn != 0 ? kIn : kMaxFan;
  static constexpr std::uint32_t kPairs = kSide * (kIn != 0 ? kOut : kMaxFan);
  static constexpr std::uint32_t kQueues = kDivided ? kPairs : kSide;

  Stages& stages_;
  const Plan& plan_;
  std::uint32_t h_;
  const Hop& hop_;
  Store& from_;
  Store* to_;  // null if the hop ends at the outputs
  std::uint32_t fan_in_, fan_out_;
  std::uint32_t per_link_;  // queues of an input
  std::uint32_t sw_ = 0;    // the switch, its first link, and its links per output
  std::uint32_t first_link_ = 0;
  std::uint32_t width_ = 0;
  std::array<Replications, kPairs> link_free_;
  std::array<Replications, kPairs> goes_first_;  // [input][output] a packet of a higher class waits
  // Whether an input may still send in this slot. For the current class: inputs that have sent, and [queue]
  // heads that can be sent, heads that were sent, and (tag_) the digits of the heads.
  std::array<Replications, kSide> may_send_, moved_;
  std::array<Replications, kQueues> head_, moved_from_;
  std::array<const Replications*, kQueues> tag_;
};

// Moves all packets that can move through one hop.
template <std::uint32_t kIn, std::uint32_t kOut>
void Stages::advance(std::uint32_t h) {
  const bool divided = stores_[h].per_link > 1 || (h + 1 < stores_.size() && stores_[h + 1].per_link > 1);
  divided ? cross_all<kIn, kOut, true>(h) : cross_all<kIn, kOut, false>(h);
}

template <std::uint32_t kIn, std::uint32_t kOut, bool kDivided>
void Stages::cross_all(std::uint32_t h) {
  Crossing<kIn, kOut, kDivided> crossing(*this, h);
  for (std::uint32_t sw = 0; sw < plan_.hops[h].switches(); ++sw) crossing.cross(sw);
}

// Discards blocked heads, or gives them a new destination that their switch can reach.
void Stages::abandon(std::uint32_t h, std::uint32_t sw, std::uint32_t queue, std::uint32_t priority,
                     Replications waiting) {
  const std::uint32_t shared = plan_.hops[h].shared[sw];
  const std::uint32_t consumed = plan_.stages - stores_[h].digit_planes / plan_.digit_bits;
  Store& store = stores_[h];
  Replications* tag = store.tag(store.place(queue, priority));
  count_by_zone(counters_.left, priority, waiting, tag, consumed, shared);
  count_by_zone(counters_.lost, priority, waiting, tag, consumed, shared);
  if (plan_.rules.blocked == Blocked::discard) return;

  Rng& rng = switch_rng_[h][sw];
  const bool may_be_hot = shared == consumed && priority == plan_.hot_class;
  const Replications hot = may_be_hot ? bernoulli(rng, plan_.redraw_hot[consumed]) : 0;
  for (std::uint32_t i = consumed; i < plan_.stages; ++i, tag += plan_.digit_bits) {
    std::array<Replications, kMaxDigitPlanes> drawn;
    uniform_digit(rng, plan_.radix, plan_.digit_bits, drawn.data());
    for (std::uint32_t j = 0; j < plan_.digit_bits; ++j) {
      const Replications hot_bit = plan_.hot_digits[i] >> (plan_.digit_bits - 1 - j) & 1 ? hot : 0;
      tag[j] = (tag[j] & ~waiting) | (((drawn[j] & ~hot) | hot_bit) & waiting);
    }
  }
  count_by_zone(counters_.entered, priority, waiting, store.tag(store.place(queue, priority)), consumed,
                shared);
}

// Adds replications to the zones of their destinations. The first `consumed` digits have been used, and
// `shared` of them equal those of the hot spot; `tag` contains the other digits.
void Stages::count_by_zone(std::vector<ReplicationCounter>& counter, std::uint32_t priority,
                           Replications replications, const Replications* tag, std::uint32_t consumed,
                           std::uint32_t shared) const {
  std::uint32_t i = shared;
  if (shared == consumed)
    for (; i < plan_.stages && replications != 0; ++i, tag += plan_.digit_bits) {
      const Replications same = replications & equals(tag, plan_.digit_bits, plan_.hot_digits[i]);
      if (replications != same)
        counter[(plan_.stages - i) * plan_.classes + priority].add(replications & ~same);
      replications = same;
    }
  if (replications != 0) counter[(plan_.stages - i) * plan_.classes + priority].add(replications);
}

void Stages::generate() {
  Store& sources = stores_.front();
  for (std::uint32_t input = 0; input < plan_.source_queue.size(); ++input) {
    Rng& rng = source_rng_[input];
    const std::uint32_t first = sources.place(plan_.source_queue[input], 0);
    Replications fresh = bernoulli(rng, plan_.load);
    for (std::uint32_t c = 0; c < plan_.classes; ++c) fresh &= ~sources.used[first + c];
    if (fresh == 0) continue;

    const Replications hot = fresh & bernoulli(rng, plan_.hot);
    std::array<Replications, kMaxDigitPlanes> tag;
    for (std::uint32_t i = 0, at = 0; i < plan_.stages; ++i, at += plan_.digit_bits) {
      uniform_digit(rng, plan_.radix, plan_.digit_bits, &tag[at]);
      for (std::uint32_t j = 0; j < plan_.digit_bits; ++j)
        tag[at + j] =
            (tag[at + j] & ~hot) | (plan_.hot_digits[i] >> (plan_.digit_bits - 1 - j) & 1 ? hot : 0);
    }
    Replications rest = fresh & ~hot;  // replications whose class is not yet drawn
    for (std::uint32_t c = 0; c < plan_.classes; ++c) {
      Replications mine = rest & bernoulli(rng, plan_.class_given_lower[c]);
      rest &= ~mine;
      if (c == plan_.hot_class) mine |= hot;
      if (mine == 0) continue;
      counters_.offered[c].add(mine);
      sources.used[first + c] |= mine;
      Replications* to = sources.tag(first + c);
      for (std::uint32_t j = 0; j < sources.digit_planes; ++j) to[j] |= tag[j] & mine;
    }
  }
}

// Arrivals that hop 0 did not accept have found their queue full.
void Stages::clear_sources() {
  Store& sources = stores_.front();
  for (std::uint32_t at = 0; at < sources.used.size(); ++at)
    if (sources.used[at] != 0) {
      counters_.blocked[at % plan_.classes].add(sources.used[at]);
      if (plan_.rules.when_full == WhenFull::hold) continue;
      sources.used[at] = 0;
      std::fill_n(sources.tag(at), sources.planes, Replications{0});
    }
}

// Appends a packet in the given replications, which must have room; payload contains its digits in these
// replications and 0 elsewhere.
void Stages::Store::push(std::uint32_t queue, std::uint32_t priority, Replications replications,
                         const Replications* payload) {
  const std::uint32_t first = place(queue, priority);
  for (std::uint32_t at = first + depth(priority); at-- > first;) {
    const Replications here = replications & ~used[at] & (at > first ? used[at - 1] : kAll);
    used[at] |= here;
    Replications* to = tag(at);
    for (std::uint32_t j = 0; j < planes; ++j) to[j] |= payload[j] & here;
  }
  if (taken.empty()) return;
  for (std::uint32_t at = first + depth(priority); at-- > first;)
    taken[at] |= replications & (at > first ? taken[at - 1] : kAll);
}

// Removes the heads in the given replications.
void Stages::Store::pop(std::uint32_t queue, std::uint32_t priority, Replications replications) {
  const std::uint32_t first = place(queue, priority), last = first + depth(priority) - 1;
  for (std::uint32_t at = first; at < last; ++at) {
    used[at] = (used[at] & ~replications) | (used[at + 1] & replications);
    Replications *to = tag(at), *from = to + planes;
    for (std::uint32_t j = 0; j < planes; ++j) to[j] = (to[j] & ~replications) | (from[j] & replications);
  }
  used[last] &= ~replications;
  for (std::uint32_t j = 0; j < planes; ++j) tag(last)[j] &= ~replications;
}

std::vector<std::uint32_t> Stages::contents(std::uint32_t level, std::uint32_t queue, std::uint32_t priority,
                                            std::uint32_t replication) const {
  std::vector<std::uint32_t> result;
  const Store& store = stores_[level];
  const std::uint32_t bits = plan_.digit_bits;
  for (std::uint32_t k = 0; k < store.depth(priority); ++k) {
    const std::uint32_t at = store.place(queue, priority) + k;
    if ((store.used[at] >> replication & 1) == 0) break;
    std::uint32_t value = 0;
    for (std::uint32_t i = 0; i < store.digit_planes; i += bits) {
      std::uint32_t digit = 0;
      for (std::uint32_t j = 0; j < bits; ++j)
        digit = 2 * digit + static_cast<std::uint32_t>(store.tag(at)[i + j] >> replication & 1);
      value = value * plan_.radix + digit;
    }
    result.push_back(value);
  }
  return result;
}

void Stages::verify() const {
  std::vector<ReplicationCounter> inside(plan_.classes);
  for (std::uint32_t level = 0; level < plan_.levels.size(); ++level)
    for (std::uint32_t queue = 0; queue < plan_.levels[level].queues; ++queue)
      for (std::uint32_t c = 0; c < plan_.classes; ++c)
        for (std::uint32_t k = 0; k < stores_[level].depth(c); ++k) {
          const Store& store = stores_[level];
          const std::uint32_t at = store.place(queue, c) + k;
          const Replications used = store.used[at];
          Replications stray = k > 0 ? used & ~store.used[at - 1] : 0;
          for (std::uint32_t j = 0; j < store.planes; ++j) stray |= store.tag(at)[j] & ~used;
          if (stray != 0)
            throw InvariantError(fmt::format(
                "slotted: level {} queue {} class {} place {}: gap or stray digits in replications {:#x}",
                level, queue, c, k, stray));
          if (level > 0) inside[c].add(used);
        }
  for (std::uint32_t c = 0; c < plan_.classes; ++c) {
    const ReplicationCounts held = inside[c].counts();
    ReplicationCounts balance{};
    for (std::uint32_t zone = 0; zone < plan_.zones(); ++zone) {
      const ReplicationCounts in = counters_.entered[zone * plan_.classes + c].counts();
      const ReplicationCounts out = counters_.left[zone * plan_.classes + c].counts();
      for (std::uint32_t replication = 0; replication < kReplications; ++replication)
        balance[replication] += in[replication] - out[replication];
    }
    for (std::uint32_t replication = 0; replication < kReplications; ++replication)
      if (balance[replication] != held[replication])
        throw InvariantError(fmt::format(
            "slotted: class {} replication {}: entered - left = {} packets, {} are in the network", c,
            replication, balance[replication], held[replication]));
  }
}

}  // namespace headway::slotted
