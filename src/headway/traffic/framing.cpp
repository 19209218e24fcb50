// SPDX-License-Identifier: Apache-2.0
#include "headway/traffic/framing.h"

#include "headway/base/wide.h"
#include "headway/traffic/message_sizes.h"

namespace headway {
namespace {

// Sums over the messages of 1, 2, ..., n bytes.
class SumsTo {
 public:
  SumsTo(const Framing& framing, std::uint64_t n)
      : framing_(framing), whole_(n / framing.payload), rest_(n % framing.payload) {}

  double packets() const {
    const double whole = static_cast<double>(whole_);
    return framing_.payload * whole * (whole + 1) / 2 + static_cast<double>(rest_) * (whole + 1);
  }
  // Bytes of padding: of last frames, because full ones have none.
  double padding() const {
    return static_cast<double>(whole_) * padding_to(framing_.payload) + padding_to(rest_);
  }

 private:
  // Over last packets of 1, 2, ..., n bytes.
  double padding_to(std::uint64_t n) const {
    if (framing_.least <= framing_.header) return 0;
    const double needed = framing_.least - framing_.header;
    const double padded = std::min(static_cast<double>(n), needed - 1);
    return padded * needed - padded * (padded + 1) / 2;
  }

  const Framing& framing_;
  std::uint64_t whole_, rest_;
};

}  // namespace

double Framing::mean_frames(const SizeDistribution& sizes) const {
  double mean = sizes.mean();
  if (is_bare()) return mean;
  sizes.for_each([&](double probability, std::uint64_t first, std::uint64_t last) {
    const SumsTo end(*this, last), begin(*this, first - 1);
    const double more = header * (end.packets() - begin.packets()) + end.padding() - begin.padding();
    mean += probability * more / static_cast<double>(last - first + 1);
  });
  return mean;
}

}  // namespace headway
