// SPDX-License-Identifier: Apache-2.0
// The faster of two ways to simulate a run in parts: threads together, or the caller's thread alone. Which
// one it is depends on the network and on the machine: on how many of its processors are free, and how far
// they are from each other. So a run tries the other way now and then, for a short time, and keeps the
// faster.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

namespace headway {

class FasterWay {
 public:
  // What is simulated before the next decision. In windows: parts.h.
  struct Piece {
    bool together;
    std::int64_t windows;
  };
  Piece next() const { return {together_, is_trial_ && !together_ ? kWindowsOfTrialAlone : kWindowsOfPiece}; }

  // How long the piece took for a tick of simulated time, in any unit. `was_alone`: threads together, but the
  // others were mostly not there.
  void took(double per_tick, bool was_alone) {
    if (is_trial_) {
      if (++pieces_ == kPiecesOfTrial) end_trial(per_tick);
    } else if (++pieces_ >= kept_for_ || was_alone) {
      before_ = per_tick;
      begin_trial();
    }
  }

 private:
  static constexpr std::int64_t kWindowsOfPiece = 128;
  // Many threads together can be many times as fast as one alone.
  static constexpr std::int64_t kWindowsOfTrialAlone = 16;
  static constexpr std::uint32_t kPiecesOfTrial = 2;  // in the first one, threads wake and caches fill
  static constexpr std::uint32_t kShortest = 4, kLongest = 1024;
  // The other way must save this much, so that noise does not change the way.
  static constexpr double kGain = 0.05;

  void begin_trial() {
    is_trial_ = true;
    together_ = !together_;
    pieces_ = 0;
  }

  // The longer a way has been the faster one, the rarer are trials of the other.
  void end_trial(double per_tick) {
    is_trial_ = false;
    pieces_ = 0;
    if (per_tick < before_ * (1 - kGain)) {
      kept_for_ = kShortest;
    } else {
      together_ = !together_;
      kept_for_ = std::min(2 * kept_for_, kLongest);
    }
  }

  bool together_ = true;
  bool is_trial_ = false;
  std::uint32_t pieces_ = 0;  // of the trial, or since the last one
  std::uint32_t kept_for_ = kShortest;
  double before_ = 0;  // what a tick took just before the trial
};

}  // namespace headway
