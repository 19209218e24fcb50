// SPDX-License-Identifier: Apache-2.0
// Arithmetic of a finite field, for topologies with an algebraic definition. Source: Lidl and Niederreiter,
// "Finite Fields", 1997, chapter 2.
#pragma once

#include <cstdint>
#include <vector>

namespace headway {

bool is_prime_power(std::uint32_t q);

// The field of q elements, q a prime power p^k. The digits of an element in base p are the coefficients of a
// polynomial below degree k.
class GaloisField {
 public:
  explicit GaloisField(std::uint32_t q);

  std::uint32_t size() const { return q_; }
  std::uint32_t add(std::uint32_t a, std::uint32_t b) const;
  std::uint32_t subtract(std::uint32_t a, std::uint32_t b) const;
  std::uint32_t multiply(std::uint32_t a, std::uint32_t b) const {
    return a == 0 || b == 0 ? 0 : powers_[(log_[a] + log_[b]) % (q_ - 1)];
  }
  // A power of a primitive element: exponents 0 to q-2 give all elements except 0.
  std::uint32_t power(std::uint32_t exponent) const { return powers_[exponent % (q_ - 1)]; }

 private:
  bool powers_of_x(std::uint32_t modulus);

  std::uint32_t q_, p_;
  std::vector<std::uint32_t> powers_;  // [exponent]
  std::vector<std::uint32_t> log_;     // [element]
};

}  // namespace headway
