// SPDX-License-Identifier: Apache-2.0
// Arithmetic of a finite field, for topologies with an algebraic definition. Source: Lidl and Niederreiter,
// "Finite Fields", 1997, chapter 2.
#pragma once

#include <cstdint>
#include <vector>

namespace headway {

inline std::uint32_t least_factor(std::uint32_t q) {
  for (std::uint32_t p = 2; p * p <= q; ++p)
    if (q % p == 0) return p;
  return q;
}
inline bool is_prime_power(std::uint32_t q) {
  if (q < 2) return false;
  const std::uint32_t p = least_factor(q);
  while (q % p == 0) q /= p;
  return q == 1;
}

// The field of q elements, q a prime power p^k. The digits of an element in base p are the coefficients of a
// polynomial below degree k.
class GaloisField {
 public:
  // Tries one polynomial of degree k after the other as the modulus, until x is a primitive element.
  explicit GaloisField(std::uint32_t q) : q_(q), p_(least_factor(q)) {
    for (std::uint32_t modulus = 0; !powers_of_x(modulus);) ++modulus;
    log_.resize(q_);
    for (std::uint32_t exponent = 0; exponent + 1 < q_; ++exponent) log_[powers_[exponent]] = exponent;
  }

  std::uint32_t size() const { return q_; }
  std::uint32_t add(std::uint32_t a, std::uint32_t b) const {
    std::uint32_t sum = 0;
    for (std::uint32_t place = 1; place < q_; place *= p_) sum += (a / place + b / place) % p_ * place;
    return sum;
  }
  std::uint32_t subtract(std::uint32_t a, std::uint32_t b) const {
    std::uint32_t difference = 0;
    for (std::uint32_t place = 1; place < q_; place *= p_)
      difference += (a / place + p_ - b / place % p_) % p_ * place;
    return difference;
  }
  std::uint32_t multiply(std::uint32_t a, std::uint32_t b) const {
    return a == 0 || b == 0 ? 0 : powers_[(log_[a] + log_[b]) % (q_ - 1)];
  }
  // A power of a primitive element: exponents 0 to q-2 give all elements except 0.
  std::uint32_t power(std::uint32_t exponent) const { return powers_[exponent % (q_ - 1)]; }

 private:
  // Computes the powers of x modulo x^k + `modulus`. Returns true if they are all elements except 0.
  bool powers_of_x(std::uint32_t modulus) {
    powers_.clear();
    std::uint32_t element = 1;
    do {
      if (element == 0) return false;
      powers_.push_back(element);
      const std::uint32_t top = element / (q_ / p_);
      element = element % (q_ / p_) * p_;
      for (std::uint32_t i = 0; i < top; ++i) element = subtract(element, modulus);
    } while (element != 1 && powers_.size() < q_);
    return powers_.size() == q_ - 1;
  }

  std::uint32_t q_, p_;
  std::vector<std::uint32_t> powers_;  // [exponent]
  std::vector<std::uint32_t> log_;     // [element]
};

}  // namespace headway
