// SPDX-License-Identifier: Apache-2.0
// An immutable vector. Its copies share the elements, so that tables of many megabytes can be handed from
// thread to thread as values.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace headway {

template <class T>
class SharedVector {
 public:
  SharedVector() = default;
  SharedVector(std::vector<T> elements) {  // NOLINT: implicit on purpose
    const auto kept = std::make_shared<const std::vector<T>>(std::move(elements));
    size_ = kept->size();
    elements_ = {kept, kept->data()};
  }

  const T& operator[](std::size_t index) const { return elements_.get()[index]; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::size_t bytes() const { return size_ * sizeof(T); }

 private:
  std::shared_ptr<const T> elements_;  // points to the first element and owns all of them
  std::size_t size_ = 0;
};

}  // namespace headway
