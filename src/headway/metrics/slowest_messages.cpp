// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/slowest_messages.h"

#include <algorithm>

namespace headway {

void SlowestMessages::add(const SlowMessage& message) {
  if (heap_.size() == most_) {
    if (most_ == 0 || !(message < heap_.front())) return;
    std::pop_heap(heap_.begin(), heap_.end());
    heap_.pop_back();
  }
  heap_.push_back(message);
  std::push_heap(heap_.begin(), heap_.end());
}

std::vector<SlowMessage> SlowestMessages::list() const {
  std::vector<SlowMessage> all = heap_;
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace headway
