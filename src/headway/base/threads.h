// SPDX-License-Identifier: Apache-2.0
// Threads that end with their scope, as several std::jthread do. libc++ has that only from version 20 on.
#pragma once

#include <cstddef>
#include <thread>
#include <utility>
#include <vector>

namespace headway {

class Threads {
 public:
  Threads() = default;
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  ~Threads() {
    for (std::thread& thread : threads_) thread.join();
  }

  // Throws std::system_error if the system has no more threads.
  template <class Work>
  void start(Work&& work) {
    threads_.emplace_back(std::forward<Work>(work));
  }
  std::size_t size() const { return threads_.size(); }

 private:
  std::vector<std::thread> threads_;
};

}  // namespace headway
