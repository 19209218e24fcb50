// SPDX-License-Identifier: Apache-2.0
// A synthetic storage trace that is bursty on all time scales, as disk traffic is: every disk has ON and OFF
// periods of Pareto length, whose superposition is self-similar (Willinger, Taqqu, Sherman, Wilson,
// "Self-similarity through high-variability", SIGCOMM 1995); periodic flushes of writes to all disks lie on
// top (the sync daemon of Ruemmler and Wilkes, "UNIX disk access patterns", 1993, whose share of writes is
// the default here); some disks are much more popular than others (Zipf). The parameters are not fitted to a
// trace; it is a substitute if no trace is available.
//
// Times are trace times before compression. All draws come from streams of the seed, one per disk and kind of
// burst, in integer and basic floating-point arithmetic, so every machine makes the same trace.
#include <algorithm>
#include <queue>

#include "headway/base/cancel.h"
#include "headway/base/rng.h"
#include "headway/config/limits.h"
#include "headway/trace/byte_stream.h"
#include "headway/trace/format.h"

namespace headway {
namespace {

struct Size {
  std::uint32_t bytes;
  double share;
};
// Choice: blocks, fragments and long transfers of a file system
constexpr Size kSizes[] = {{2048, 0.1}, {4096, 0.1}, {8192, 0.7}, {65536, 0.1}};
constexpr double kFlushLength = 0.1;  // of the period between flushes
// The longest burst, time between bursts, and time between requests: 13 days. Three of them and the longest
// trace fit.
constexpr TraceTime kLongest = TraceTime{1} << 60;
static_assert(kMostTraceTime <= INT64_MAX - 4 * kLongest);

// e^x by argument reduction and Taylor series, with basic operations only, for any sign of x.
double exponential(double x) {
  if (x > 700 || x < -700) return x > 0 ? 0x1p1000 : 0;
  int halvings = 0;
  for (; x > 0.5 || x < -0.5; x /= 2) ++halvings;
  double sum = 1, term = 1;
  for (int k = 1; k < 20; ++k) sum += term = term * x / k;
  for (; halvings > 0; --halvings) sum *= sum;
  return sum;
}

double natural_log(std::uint64_t n) {
  return 44.361419555836498 - static_cast<double>(minus_log_q32(n)) * 0x1p-32;  // 64 ln 2 + ln(n / 2^64)
}

struct Shape {
  std::int64_t disks = 20;
  std::int64_t processes = 44;
  Duration length{Rational(20'000'000)};
  Rate rate{{1, 10}};
  double write_share = 0.57;
  double popularity = 0.9;
  Duration on{Rational(400'000)};
  Duration off{Rational(800'000)};
  double on_shape = 1.4;
  double off_shape = 1.2;
  Duration flush_period{Rational(600'000)};
  double flush_share = 0.3;
  Duration response{Rational(100'000)};
};

double chance(Rng& rng) { return static_cast<double>(rng.next() >> 11) * 0x1p-53; }

// Counts the bursts of all disks. A disk without requests passes many of them between two records.
class BurstCount {
 public:
  explicit BurstCount(const TraceOpening& how)
      : cancelled_(how.cancelled), most_(how.most_bytes / kBytesOfABurst) {}
  void add() {
    if (++bursts_ % kBetweenPolls == 0) throw_if_set(cancelled_);
    if (bursts_ > most_) throw EnoughRead{};
  }

 private:
  static constexpr std::uint64_t kBytesOfABurst =
      16;  // a burst takes about as long as so many bytes of a file
  static constexpr std::uint64_t kBetweenPolls = 1 << 16;
  CancelFlag cancelled_;
  std::uint64_t most_;
  std::uint64_t bursts_ = 0;
};

// The requests of one kind for one disk: a Poisson process during bursts, none between them.
class Stream {
 public:
  // `gap` is the mean time between requests within a burst.
  Stream(Rng rng, double gap, bool flush) : rng_(rng), gap_(gap), flush_(flush) {}

  Rng& rng() { return rng_; }
  bool is_flush() const { return flush_; }
  TraceTime next() const { return next_; }

  void start(const Shape& p, BurstCount& bursts) {
    if (flush_) {
      begin_burst(p);
    } else {
      // initial state as in steady state: on or off in proportion to the mean lengths
      const double on = p.on.ns.to_double(), off = p.off.ns.to_double();
      const bool begins_on = chance(rng_) < on / (on + off);
      next_ = begins_on ? 0 : pareto(p.off, p.off_shape);
      burst_end_ = next_ + pareto(p.on, p.on_shape);
    }
    advance(p, bursts);
  }

  // Advances to the next request, or past the end of the trace: a disk can have none for many bursts.
  void advance(const Shape& p, BurstCount& bursts) {
    const TraceTime end = picoseconds(p.length);
    double wait = static_cast<double>(rng_.exponential_q32()) * 0x1p-32 * gap_;
    while (next_ < end && wait >= static_cast<double>(burst_end_ - next_)) {
      wait -= static_cast<double>(burst_end_ - next_);
      bursts.add();
      begin_burst(p);
    }
    next_ += static_cast<TraceTime>(std::min(wait, static_cast<double>(kLongest)));
  }

 private:
  void begin_burst(const Shape& p) {
    if (flush_) {
      const TraceTime period = picoseconds(p.flush_period);
      next_ = flushes_++ * period;
      burst_end_ = next_ + static_cast<TraceTime>(kFlushLength * static_cast<double>(period));
    } else {
      next_ = burst_end_ + pareto(p.off, p.off_shape);
      burst_end_ = next_ + pareto(p.on, p.on_shape);
    }
  }

  // Pareto with that mean: least · u^(-1/shape), least = mean (shape - 1) / shape.
  TraceTime pareto(const Duration& mean, double shape) {
    const double least = static_cast<double>(picoseconds(mean)) * (shape - 1) / shape;
    const double stretch = exponential(static_cast<double>(rng_.exponential_q32()) * 0x1p-32 / shape);
    return static_cast<TraceTime>(std::min(least * stretch, static_cast<double>(kLongest))) + 1;
  }

  Rng rng_;
  double gap_;
  bool flush_;
  TraceTime next_ = 0;
  TraceTime burst_end_ = 0;
  std::int64_t flushes_ = 0;
};

class SyntheticReader final : public TraceReader {
 public:
  SyntheticReader(const Shape& parameters, const TraceOpening& how)
      : TraceReader("synthetic trace", false),
        parameters_(parameters),
        length_(picoseconds(parameters.length)),
        bursts_(how) {
    double mean_size = 0;
    for (const Size& size : kSizes) mean_size += size.share * size.bytes;
    std::vector<double> weights;
    double sum = 0;
    for (std::int64_t disk = 0; disk < parameters.disks; ++disk) {
      weights.push_back(
          exponential(-parameters.popularity * natural_log(static_cast<std::uint64_t>(disk) + 1)));
      sum += weights.back();
    }
    const double on = parameters.on.ns.to_double(), off = parameters.off.ns.to_double();
    for (std::int64_t disk = 0; disk < parameters.disks; ++disk) {
      // picoseconds between requests of this disk, over all time
      const double gap =
          mean_size /
          (parameters.rate.bytes_per_ns.to_double() * weights[static_cast<std::size_t>(disk)] / sum) *
          kNanosecond;
      const double share = parameters.flush_share;
      const auto stream = [&](bool flush) {
        return Rng(how.seed, StreamKind::trace, static_cast<std::uint64_t>(2 * disk + (flush ? 1 : 0)));
      };
      if (share < 1) streams_.emplace_back(stream(false), gap / (1 - share) * on / (on + off), false);
      if (share > 0) streams_.emplace_back(stream(true), gap / share * kFlushLength, true);
      for (std::size_t s = disk_of_.size(); s < streams_.size(); ++s) disk_of_.push_back(disk);
    }
    for (std::size_t s = 0; s < streams_.size(); ++s) {
      streams_[s].start(parameters_, bursts_);
      due_.push({streams_[s].next(), s});
    }
  }

 private:
  bool read(TraceRecord& record, Instant& at) override {
    const auto [time, number] = due_.top();
    if (time >= length_) return false;
    due_.pop();
    Stream& stream = streams_[number];
    Rng& rng = stream.rng();
    at = time / kNanosecond * kNanosecond;
    record.to = static_cast<std::uint64_t>(disk_of_[number]);
    record.from = rng.below(static_cast<std::uint32_t>(parameters_.processes));
    record.bytes = size(chance(rng));
    const double p = parameters_.write_share, flushed = parameters_.flush_share;
    const bool writes = stream.is_flush() || chance(rng) * (1 - flushed) < p - flushed;
    record.operation = writes ? Operation::write : Operation::read;
    const double response =
        static_cast<double>(rng.exponential_q32()) * 0x1p-32 * parameters_.response.ns.to_double();
    record.response = static_cast<TraceTime>(std::min(response, limits::kTime)) * kNanosecond;
    stream.advance(parameters_, bursts_);
    due_.push({stream.next(), number});
    return true;
  }

  static std::uint32_t size(double drawn) {
    for (const Size& each : kSizes) {
      drawn -= each.share;
      if (drawn < 0) return each.bytes;
    }
    return kSizes[0].bytes;
  }

  using Due = std::pair<TraceTime, std::size_t>;  // of a stream
  Shape parameters_;
  TraceTime length_;
  BurstCount bursts_;
  std::vector<Stream> streams_;
  std::vector<std::int64_t> disk_of_;  // [stream]
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
};

class Synthetic final : public TraceFormat {
 public:
  void describe(Parameters& parameters) override {
    const auto count = [&](std::string_view name, std::string_view help, std::int64_t& value) {
      parameters.field({.name = name, .help = help, .bounds = Bounds::from(1, 100'000)}, value);
    };
    const auto share = [&](std::string_view name, std::string_view help, double& value) {
      parameters.field({.name = name, .help = help, .bounds = Bounds::from(0, 1)}, value);
    };
    const auto time = [&](std::string_view name, std::string_view help, Duration& value) {
      parameters.field(
          {.name = name, .help = help, .bounds = Bounds::from(limits::kShortestBurst, limits::kLongestBurst)},
          value);
    };
    const auto shape = [&](std::string_view name, std::string_view help, double& value) {
      parameters.field({.name = name, .help = help, .bounds = Bounds::over(1, 100)}, value);
    };
    count("disks", "number of disks", p_.disks);
    count("processes", "number of processes; each request comes from a process drawn uniformly",
          p_.processes);
    parameters.field(
        {.name = "length", .help = "length of the trace", .bounds = Bounds::over(0, limits::kTime)},
        p_.length);
    parameters.field({.name = "rate",
                      .help = "mean data rate of all disks together, reads and writes",
                      .bounds = Bounds::over(0, limits::kRateOfDisks)},
                     p_.rate);
    share("write_share", "fraction of the requests that are writes", p_.write_share);
    parameters.field({.name = "popularity",
                      .help = "Zipf exponent: the k-th disk gets requests in proportion to 1/k to this "
                              "power; with 0, all disks get equally many",
                      .bounds = Bounds::from(0, 10)},
                     p_.popularity);
    time("on", "mean length of the bursts of a disk", p_.on);
    time("off", "mean time between two bursts of a disk", p_.off);
    shape("on_shape",
          "shape parameter of the Pareto distribution of burst lengths; below 2, the variance is infinite",
          p_.on_shape);
    shape("off_shape", "shape parameter of the Pareto distribution of the times between bursts",
          p_.off_shape);
    time("flush_period",
         "time from one flush to the next; a flush writes to all disks during a tenth of this time",
         p_.flush_period);
    share("flush_share", "fraction of the requests that belong to flushes; at most write_share",
          p_.flush_share);
    parameters.field({.name = "response",
                      .help = "mean time from the start of a request to its completion",
                      .bounds = Bounds::from(0, limits::kTime)},
                     p_.response);
  }
  void check(Mistakes& mistakes) const override {
    if (p_.flush_share > p_.write_share)
      mistakes.add("flush_share", "is more than write_share; flushes consist of writes");
  }
  std::unique_ptr<TraceReader> open(const TraceOpening& how) const override {
    return std::make_unique<SyntheticReader>(p_, how);
  }

 private:
  Shape p_;
};

}  // namespace

Entry<TraceFormat> synthetic() {
  return {"synthetic",
          "storage trace generated from the seed, with bursts of reads and writes, periodic flushes and "
          "disks of unequal popularity",
          "Headway; Willinger et al. 1995; Ruemmler and Wilkes 1993", make_entry<TraceFormat, Synthetic>};
}

}  // namespace headway
