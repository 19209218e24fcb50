// SPDX-License-Identifier: Apache-2.0
// Messages of one size, of uniformly distributed sizes, and of two sizes (short requests and long answers).
#include <optional>

#include "headway/config/limits.h"
#include "headway/traffic/message_sizes.h"

namespace headway {
namespace {

class FixedSize final : public MessageSizes {
 public:
  void describe(Parameters& parameters) override {
    parameters.field({.name = "message",
                      .help = "size of a message; default: one packet",
                      .bounds = Bounds::from(1, limits::kBytes)},
                     message_);
  }
  SizeDistribution build(std::int64_t packet) const override {
    const auto size = static_cast<std::uint64_t>(message_ ? message_->count : packet);
    return SizeDistribution({{1.0, size, size}});
  }

 private:
  std::optional<Bytes> message_;
};

// The parameters `smallest` and `largest` of two members.
class TwoSizes : public MessageSizes {
 public:
  void describe(Parameters& parameters) override {
    parameters.field({.name = "smallest",
                      .help = "size of the smallest messages",
                      .bounds = Bounds::from(1, limits::kBytes)},
                     smallest_);
    parameters.field({.name = "largest",
                      .help = "size of the largest messages",
                      .bounds = Bounds::from(1, limits::kBytes)},
                     largest_);
  }
  void check(Mistakes& mistakes) const override {
    if (largest_ < smallest_)
      mistakes.add("largest", to_string(largest_) + " is less than smallest, " + to_string(smallest_));
  }

 protected:
  std::uint64_t smallest() const { return static_cast<std::uint64_t>(smallest_.count); }
  std::uint64_t largest() const { return static_cast<std::uint64_t>(largest_.count); }

 private:
  Bytes smallest_{64};
  Bytes largest_{1024};
};

class UniformSizes final : public TwoSizes {
 public:
  SizeDistribution build(std::int64_t) const override {
    return SizeDistribution({{1.0, smallest(), largest()}});
  }
};

class BimodalSizes final : public TwoSizes {
 public:
  void describe(Parameters& parameters) override {
    TwoSizes::describe(parameters);
    parameters.field({.name = "largest_share",
                      .help = "fraction of the messages that have the largest size",
                      .bounds = Bounds::from(0, 1)},
                     share_);
  }
  SizeDistribution build(std::int64_t) const override {
    return SizeDistribution({{1 - share_, smallest(), smallest()}, {share_, largest(), largest()}});
  }

 private:
  double share_ = 0.1;
};

}  // namespace

Entry<MessageSizes> fixed_size() {
  return {"fixed", "all messages have the same size", "Headway", make_entry<MessageSizes, FixedSize>};
}
Entry<MessageSizes> uniform_sizes() {
  return {"uniform", "sizes from the smallest to the largest, in whole bytes, with equal probability",
          "Headway", make_entry<MessageSizes, UniformSizes>};
}
Entry<MessageSizes> bimodal_sizes() {
  return {"bimodal", "two sizes: short and long messages",
          "Dally and Towles 2004, section 24.2.3 (short requests, long replies)",
          make_entry<MessageSizes, BimodalSizes>};
}

}  // namespace headway
