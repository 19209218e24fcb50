// SPDX-License-Identifier: Apache-2.0
// On/off arrivals: a two-state Markov-modulated process. During a burst, messages follow one another at the
// peak load; between bursts the source is silent. The number of messages of a burst is geometric with the
// mean `burst`, the silence is exponential with the mean that gives the load. Source: Dally and Towles,
// "Principles and practices of interconnection networks", 2004, section 24.2.2 (alpha = 1 / burst, r1 =
// peak). Choice: within a burst, messages have equal distances; the first message is drawn from the
// stationary process.
//
// In the units of MessageRate, in which the mean gap is 1, the gap within a burst is g = load / peak. After
// the last message of a burst, an exponential silence with the mean burst * (1 - g) is added.
#include <algorithm>
#include <cmath>

#include "headway/base/rng.h"
#include "headway/base/wide.h"
#include "headway/traffic/arrivals.h"
#include "headway/traffic/message_rate.h"

namespace headway {
namespace {

class OnOffProcess final : public ArrivalProcess {
 public:
  OnOffProcess(const ArrivalContext& context, double burst, double peak) {
    ends_ = static_cast<std::uint64_t>(std::min(1 / burst, 1.0) * 0x1p53);
    for (const auto& piece : context.profile.pieces) {
      rate_.add(piece.from, piece.load / context.message_ticks);
      const double gap = std::min(piece.load / peak, 1.0);
      pieces_.push_back({piece.from, piece.load > 0, q32(gap), q32(burst * (1 - gap))});
    }
  }

  // A random instant is in the gap after a message with the probability g, otherwise in the silence.
  Instant first(Rng& rng) const override {
    const Piece* const piece = piece_at(0);
    if (piece == nullptr) return kNever;
    const std::uint64_t place = rng.next() >> 32;
    std::uint64_t wait = 0;
    if (place < piece->gap) {
      wait = piece->gap - place;
      if (burst_ends(rng)) wait += silence(*piece, rng);
    } else {
      wait = silence(*piece, rng);
    }
    return rate_.after(0, wait);
  }
  Instant next(Instant previous, Rng& rng) const override {
    const Piece* const piece = piece_at(previous);
    if (piece == nullptr) return kNever;
    const std::uint64_t wait = piece->gap + (burst_ends(rng) ? silence(*piece, rng) : 0);
    return rate_.after(previous, wait);
  }

 private:
  struct Piece {
    Instant from;
    bool sends;
    std::uint64_t gap;      // within a burst, in 2^-32 messages
    std::uint64_t silence;  // mean
  };

  static std::uint64_t q32(double value) { return static_cast<std::uint64_t>(std::llround(value * 0x1p32)); }
  bool burst_ends(Rng& rng) const { return rng.next() >> 11 < ends_; }
  static std::uint64_t silence(const Piece& piece, Rng& rng) {
    return static_cast<std::uint64_t>((Wide{piece.silence} * rng.exponential_q32()) >> 32);
  }

  // The piece at this instant, or the next one that sends; null at the end.
  const Piece* piece_at(Instant instant) const {
    auto piece = std::ranges::upper_bound(pieces_, instant, {}, &Piece::from);
    if (piece != pieces_.begin()) --piece;
    while (piece != pieces_.end() && !piece->sends) ++piece;
    return piece == pieces_.end() ? nullptr : &*piece;
  }

  std::uint64_t ends_;  // probability that a message is the last one of its burst, in 2^-53
  std::vector<Piece> pieces_;
  MessageRate rate_;
};

class OnOff final : public Arrivals {
 public:
  void describe(Parameters& parameters) override {
    parameters.field({.name = "burst",
                      .help = "mean number of messages in a burst; the number is geometrically distributed",
                      .bounds = Bounds::from(1, 1e6)},
                     burst_);
    parameters.field({.name = "peak",
                      .help = "load during a burst, as a fraction of the link rate; at this load there is no "
                              "silence",
                      .bounds = Bounds::over(0, 1)},
                     peak_);
  }
  std::unique_ptr<ArrivalProcess> build(const ArrivalContext& context) const override {
    return std::make_unique<OnOffProcess>(context, burst_, peak_);
  }
  double max_load() const override { return peak_; }

 private:
  double burst_ = 16;
  double peak_ = 1.0;
};

}  // namespace

Entry<Arrivals> on_off() {
  return {"on-off", "bursts of messages at a peak load, with silence between them",
          "Dally and Towles 2004, section 24.2.2", make_entry<Arrivals, OnOff>};
}

}  // namespace headway
