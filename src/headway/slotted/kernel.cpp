// SPDX-License-Identifier: Apache-2.0
#include "headway/slotted/kernel.h"

#include <fmt/format.h>

#include <algorithm>

#include "headway/base/error.h"

namespace headway::slotted {
namespace {

constexpr std::uint32_t kMaxFan = 64;
constexpr std::uint32_t kMaxPlanes = 32;

// Chooses a winner in each lane among the requesters, with equal probability (the j-th requester replaces the
// current winner with probability 1/j).
void pick_one(Lanes* request, std::uint32_t count, Rng& rng) {
  if (count == 1) return;
  if (count == 2) {
    if (const Lanes conflict = request[0] & request[1]; conflict != 0) {
      const Lanes coin = rng.next();
      request[0] &= ~(conflict & coin);
      request[1] &= ~(conflict & ~coin);
    }
    return;
  }
  std::array<Lanes, kMaxFan + 1> seen{kAll};  // [j]: at least j requesters so far
  for (std::uint32_t u = 0; u < count; ++u)
    for (std::uint32_t j = u + 1; j > 0; --j) seen[j] |= seen[j - 1] & request[u];
  std::array<Lanes, kMaxFan + 1> replace{0, kAll};  // [j]
  for (std::uint32_t j = 2; j <= count && seen[j] != 0; ++j)
    replace[j] = bernoulli(rng, Probability::of(1.0 / j));
  std::fill_n(seen.begin() + 1, count, Lanes{0});
  for (std::uint32_t u = 0; u < count; ++u) {
    Lanes wins = 0;
    for (std::uint32_t j = u + 1; j > 0; --j) {
      wins |= request[u] & seen[j - 1] & ~seen[j] & replace[j];
      seen[j] |= seen[j - 1] & request[u];
    }
    for (std::uint32_t v = 0; v < u; ++v) request[v] &= ~wins;
    request[u] = wins;
  }
}

}  // namespace

Kernel::Kernel(const Plan& plan, std::uint64_t seed) : plan_(plan) {
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
    stores_.push_back({level.planes,
                       level.places,
                       level.first_place,
                       std::vector<Lanes>(places),
                       std::vector<Lanes>(places * level.planes),
                       {}});
    if (!plan.rules.reuse) stores_.back().taken.resize(places);
  }
  const std::size_t cells = std::size_t{plan.zones()} * plan.classes;
  for (auto* counter : {&counters_.entered, &counters_.left, &counters_.lost}) counter->resize(cells);
  for (auto* counter : {&counters_.offered, &counters_.blocked}) counter->resize(plan.classes);
}

void Kernel::step() {
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

// Moves all packets that can move through one hop. kIn x kOut is the size of its switches; 0 x 0 means any
// size.
template <std::uint32_t kIn, std::uint32_t kOut>
void Kernel::advance(std::uint32_t h) {
  const Hop& hop = plan_.hops[h];
  const bool to_outputs = h + 1 == plan_.hops.size();
  const std::uint32_t fan_in = kIn != 0 ? kIn : hop.fan_in, fan_out = kOut != 0 ? kOut : hop.fan_out;
  Store& from_store = stores_[h];
  Store* const to_store = to_outputs ? nullptr : &stores_[h + 1];
  const std::uint32_t planes = from_store.planes, classes = plan_.classes;
  constexpr std::uint32_t kSide = kIn != 0 ? kIn : kMaxFan;
  std::array<Lanes, std::size_t{kSide} * (kIn != 0 ? kOut : kMaxFan)> link_free;

  for (std::uint32_t sw = 0; sw < hop.switches(); ++sw) {
    const std::uint32_t first_link = hop.first_link[sw];
    const std::uint32_t width = (hop.first_link[sw + 1] - first_link) / fan_out;  // links per output
    std::fill_n(link_free.begin(), width * fan_out, kAll);
    std::array<Lanes, kSide> may_send;
    std::fill_n(may_send.begin(), fan_in, kAll);

    for (std::uint32_t c = 0; c < classes; ++c) {
      std::array<Lanes, kSide> head,
          moved{};  // lanes with a packet that can be sent, and with one that was sent
      std::array<const Lanes*, kSide> tag;  // its digits
      for (std::uint32_t u = 0; u < fan_in; ++u) {
        const std::uint32_t at = from_store.place(sw * fan_in + u, c);
        head[u] = from_store.used[at] & may_send[u];
        tag[u] = from_store.tag(at);
      }
      for (std::uint32_t o = 0; o < fan_out; ++o)
        for (std::uint32_t g = 0, from = 0; g < width; ++g) {
          // inputs from .. to-1 share link g of output o
          const std::uint32_t to = ((g + 1) * fan_in + width - 1) / width, link = o * width + g;
          const std::uint32_t target = hop.target[first_link + link];
          const std::uint32_t rounds =
              hop.one_write || to_outputs ? 1 : std::min(to - from, to_store->depth(c));
          for (std::uint32_t round = 0; round < rounds; ++round) {
            Lanes open = link_free[link];
            if (!to_outputs) open &= to_store->room(target, c);
            std::array<Lanes, kSide> wins;
            Lanes any = 0;
            for (std::uint32_t u = from; u < to; ++u) {
              wins[u] = head[u] & ~moved[u] & open & equals(tag[u], hop.bits, o);
              any |= wins[u];
            }
            if (any == 0) break;
            pick_one(wins.data() + from, to - from, switch_rng_[h][sw]);
            for (std::uint32_t u = from; u < to; ++u) moved[u] |= wins[u];
            if (hop.one_write) link_free[link] &= ~any;
            if (to_outputs) {
              counters_.left[plan_.zone_of[target] * classes + c].add(any);
              continue;
            }
            std::array<Lanes, kMaxPlanes> payload;
            for (std::uint32_t j = hop.bits; j < planes; ++j) {
              Lanes bits = 0;
              for (std::uint32_t u = from; u < to; ++u) bits |= tag[u][j] & wins[u];
              payload[j] = bits;
            }
            to_store->push(target, c, any, payload.data() + hop.bits);
          }
          from = to;
        }
      for (std::uint32_t u = 0; u < fan_in; ++u) {
        const std::uint32_t queue = sw * fan_in + u;
        const Lanes waiting = from_store.used[from_store.place(queue, c)] & ~moved[u];
        may_send[u] &= ~(plan_.rules.pass ? moved[u] : moved[u] | waiting);
        if (h == 0 && moved[u] != 0) count_by_zone(counters_.entered, c, moved[u], tag[u], 0, 0);
        if (h > 0 && waiting != 0 && plan_.rules.blocked != Blocked::wait) abandon(h, sw, queue, c, waiting);
        from_store.pop(queue, c,
                       plan_.rules.blocked == Blocked::discard && h > 0 ? moved[u] | waiting : moved[u]);
      }
    }
  }
}

// Discards blocked heads, or gives them a new destination that their switch can reach.
void Kernel::abandon(std::uint32_t h, std::uint32_t sw, std::uint32_t queue, std::uint32_t priority,
                     Lanes waiting) {
  const std::uint32_t shared = plan_.hops[h].shared[sw];
  const std::uint32_t consumed = plan_.stages - stores_[h].planes / plan_.digit_bits;
  Store& store = stores_[h];
  Lanes* tag = store.tag(store.place(queue, priority));
  count_by_zone(counters_.left, priority, waiting, tag, consumed, shared);
  count_by_zone(counters_.lost, priority, waiting, tag, consumed, shared);
  if (plan_.rules.blocked == Blocked::discard) return;

  Rng& rng = switch_rng_[h][sw];
  const bool may_be_hot = shared == consumed && priority == plan_.hot_class;
  const Lanes hot = may_be_hot ? bernoulli(rng, plan_.redraw_hot[consumed]) : 0;
  for (std::uint32_t i = consumed; i < plan_.stages; ++i, tag += plan_.digit_bits) {
    std::array<Lanes, kMaxPlanes> drawn;
    uniform_digit(rng, plan_.radix, plan_.digit_bits, drawn.data());
    for (std::uint32_t j = 0; j < plan_.digit_bits; ++j) {
      const Lanes hot_bit = plan_.hot_digits[i] >> (plan_.digit_bits - 1 - j) & 1 ? hot : 0;
      tag[j] = (tag[j] & ~waiting) | (((drawn[j] & ~hot) | hot_bit) & waiting);
    }
  }
  count_by_zone(counters_.entered, priority, waiting, store.tag(store.place(queue, priority)), consumed,
                shared);
}

// Adds lanes to the zones of their destinations. The first `consumed` digits have been used, and `shared` of
// them equal those of the hot spot; `tag` contains the other digits.
void Kernel::count_by_zone(std::vector<LaneCounter>& counter, std::uint32_t priority, Lanes lanes,
                           const Lanes* tag, std::uint32_t consumed, std::uint32_t shared) const {
  std::uint32_t i = shared;
  if (shared == consumed)
    for (; i < plan_.stages && lanes != 0; ++i, tag += plan_.digit_bits) {
      const Lanes same = lanes & equals(tag, plan_.digit_bits, plan_.hot_digits[i]);
      if (lanes != same) counter[(plan_.stages - i) * plan_.classes + priority].add(lanes & ~same);
      lanes = same;
    }
  if (lanes != 0) counter[(plan_.stages - i) * plan_.classes + priority].add(lanes);
}

void Kernel::generate() {
  Store& sources = stores_.front();
  for (std::uint32_t input = 0; input < plan_.source_queue.size(); ++input) {
    Rng& rng = source_rng_[input];
    const std::uint32_t first = sources.place(plan_.source_queue[input], 0);
    Lanes fresh = bernoulli(rng, plan_.load);
    for (std::uint32_t c = 0; c < plan_.classes; ++c) fresh &= ~sources.used[first + c];
    if (fresh == 0) continue;

    const Lanes hot = fresh & bernoulli(rng, plan_.hot);
    std::array<Lanes, kMaxPlanes> tag;
    for (std::uint32_t i = 0, at = 0; i < plan_.stages; ++i, at += plan_.digit_bits) {
      uniform_digit(rng, plan_.radix, plan_.digit_bits, &tag[at]);
      for (std::uint32_t j = 0; j < plan_.digit_bits; ++j)
        tag[at + j] =
            (tag[at + j] & ~hot) | (plan_.hot_digits[i] >> (plan_.digit_bits - 1 - j) & 1 ? hot : 0);
    }
    Lanes rest = fresh & ~hot;  // lanes whose class is not yet drawn
    for (std::uint32_t c = 0; c < plan_.classes; ++c) {
      Lanes mine = rest & bernoulli(rng, plan_.class_given_lower[c]);
      rest &= ~mine;
      if (c == plan_.hot_class) mine |= hot;
      if (mine == 0) continue;
      counters_.offered[c].add(mine);
      sources.used[first + c] |= mine;
      Lanes* to = sources.tag(first + c);
      for (std::uint32_t j = 0; j < sources.planes; ++j) to[j] |= tag[j] & mine;
    }
  }
}

// Arrivals that hop 0 did not accept have found their queue full.
void Kernel::clear_sources() {
  Store& sources = stores_.front();
  for (std::uint32_t at = 0; at < sources.used.size(); ++at)
    if (sources.used[at] != 0) {
      counters_.blocked[at % plan_.classes].add(sources.used[at]);
      if (plan_.rules.hold) continue;
      sources.used[at] = 0;
      std::fill_n(sources.tag(at), sources.planes, Lanes{0});
    }
}

// Appends a packet in the given lanes, which must have room; payload contains its digits in these lanes and 0
// elsewhere.
void Kernel::Store::push(std::uint32_t queue, std::uint32_t priority, Lanes lanes, const Lanes* payload) {
  const std::uint32_t first = place(queue, priority);
  for (std::uint32_t at = first + depth(priority); at-- > first;) {
    const Lanes here = lanes & ~used[at] & (at > first ? used[at - 1] : kAll);
    used[at] |= here;
    Lanes* to = tag(at);
    for (std::uint32_t j = 0; j < planes; ++j) to[j] |= payload[j] & here;
  }
  if (taken.empty()) return;
  for (std::uint32_t at = first + depth(priority); at-- > first;)
    taken[at] |= lanes & (at > first ? taken[at - 1] : kAll);
}

// Removes the heads in the given lanes.
void Kernel::Store::pop(std::uint32_t queue, std::uint32_t priority, Lanes lanes) {
  const std::uint32_t first = place(queue, priority), last = first + depth(priority) - 1;
  for (std::uint32_t at = first; at < last; ++at) {
    used[at] = (used[at] & ~lanes) | (used[at + 1] & lanes);
    Lanes *to = tag(at), *from = to + planes;
    for (std::uint32_t j = 0; j < planes; ++j) to[j] = (to[j] & ~lanes) | (from[j] & lanes);
  }
  used[last] &= ~lanes;
  for (std::uint32_t j = 0; j < planes; ++j) tag(last)[j] &= ~lanes;
}

std::vector<std::uint32_t> Kernel::contents(std::uint32_t level, std::uint32_t queue, std::uint32_t priority,
                                            std::uint32_t lane) const {
  std::vector<std::uint32_t> result;
  const Store& store = stores_[level];
  const std::uint32_t bits = plan_.digit_bits;
  for (std::uint32_t k = 0; k < store.depth(priority); ++k) {
    const std::uint32_t at = store.place(queue, priority) + k;
    if ((store.used[at] >> lane & 1) == 0) break;
    std::uint32_t value = 0;
    for (std::uint32_t i = 0; i < store.planes; i += bits) {
      std::uint32_t digit = 0;
      for (std::uint32_t j = 0; j < bits; ++j)
        digit = 2 * digit + static_cast<std::uint32_t>(store.tag(at)[i + j] >> lane & 1);
      value = value * plan_.radix + digit;
    }
    result.push_back(value);
  }
  return result;
}

void Kernel::verify() const {
  std::vector<LaneCounter> inside(plan_.classes);
  for (std::uint32_t level = 0; level < plan_.levels.size(); ++level)
    for (std::uint32_t queue = 0; queue < plan_.levels[level].queues; ++queue)
      for (std::uint32_t c = 0; c < plan_.classes; ++c)
        for (std::uint32_t k = 0; k < stores_[level].depth(c); ++k) {
          const Store& store = stores_[level];
          const std::uint32_t at = store.place(queue, c) + k;
          const Lanes used = store.used[at];
          Lanes stray = k > 0 ? used & ~store.used[at - 1] : 0;
          for (std::uint32_t j = 0; j < store.planes; ++j) stray |= store.tag(at)[j] & ~used;
          if (stray != 0)
            throw InvariantError(fmt::format(
                "slotted: level {} queue {} class {} place {}: gap or stray digits in lanes {:#x}", level,
                queue, c, k, stray));
          if (level > 0) inside[c].add(used);
        }
  for (std::uint32_t c = 0; c < plan_.classes; ++c) {
    const LaneCounts held = inside[c].counts();
    LaneCounts balance{};
    for (std::uint32_t zone = 0; zone < plan_.zones(); ++zone) {
      const LaneCounts in = counters_.entered[zone * plan_.classes + c].counts();
      const LaneCounts out = counters_.left[zone * plan_.classes + c].counts();
      for (std::uint32_t lane = 0; lane < kLanes; ++lane) balance[lane] += in[lane] - out[lane];
    }
    for (std::uint32_t lane = 0; lane < kLanes; ++lane)
      if (balance[lane] != held[lane])
        throw InvariantError(fmt::format(
            "slotted: class {} replication {}: entered - left = {} packets, {} are in the network", c, lane,
            balance[lane], held[lane]));
  }
}

}  // namespace headway::slotted
