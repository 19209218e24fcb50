// SPDX-License-Identifier: Apache-2.0
// The five wirings as link permutations; see banyan.h for the sources.
#include "headway/topology/banyan.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>
#include <string>

namespace headway {
namespace {

using Links = std::vector<std::uint32_t>;

constexpr std::array kWirings = {
    WiringName{"omega", "multistage network with a perfect shuffle before every stage", "Lawrie 1975", true},
    WiringName{"delta", "multistage network with a perfect shuffle between stages", "Patel 1981", true},
    WiringName{
        "generalised-cube",
        "multistage network whose stages set the destination's digits in place, most significant first",
        "Siegel and McMillen 1981", false},
    WiringName{
        "indirect-cube",
        "multistage network whose stages set the destination's digits in place, least significant first",
        "Pease 1977", false},
    WiringName{"baseline",
               "multistage network with inverse shuffles in blocks that get smaller from stage to stage",
               "Wu and Feng 1980", false},
};

std::uint32_t power(std::uint32_t base, std::uint32_t exponent) {
  std::uint32_t result = 1;
  while (exponent-- > 0) result *= base;
  return result;
}

template <class Function>
Links permutation(std::uint32_t size, Function to) {
  Links links(size);
  for (std::uint32_t from = 0; from < size; ++from) links[from] = to(from);
  return links;
}

Links identity(std::uint32_t size) {
  return permutation(size, [](std::uint32_t q) { return q; });
}

// Moves the most significant base-r digit to the end.
Links shuffle(std::uint32_t size, std::uint32_t r) {
  return permutation(size, [=](std::uint32_t q) { return q % (size / r) * r + q / (size / r); });
}

// Moves the last digit to the front of its block.
Links unshuffle_blocks(std::uint32_t size, std::uint32_t block, std::uint32_t r) {
  return permutation(size, [=](std::uint32_t q) {
    const std::uint32_t within = q % block;
    return q - within + within % r * (block / r) + within / r;
  });
}

// Exchanges the last digit with digit k (counted from the last).
std::uint32_t exchange(std::uint32_t q, std::uint32_t k, std::uint32_t r) {
  const std::uint32_t weight = power(r, k);
  const std::uint32_t last = q % r, other = q / weight % r;
  return q - last - other * weight + other + last * weight;
}

// In the cubes, positions keep their labels; stage i connects the labels that differ in digit `switched(i)`.
template <class Function>
void wire_cube(Banyan& net, Function switched) {
  const std::uint32_t n = net.stages, r = net.fan_in;
  for (std::uint32_t i = 0; i <= n; ++i)
    net.link_to.push_back(permutation(power(r, n), [&](std::uint32_t q) {
      const std::uint32_t label = i == 0 ? q : exchange(q, switched(i - 1), r);
      return i == n ? label : exchange(label, switched(i), r);
    }));
  for (std::uint32_t i = 0; i < n; ++i) net.digit_of[i] = n - 1 - switched(i);
}

}  // namespace

std::span<const WiringName> wirings() { return kWirings; }

std::uint32_t Banyan::port(std::uint32_t stage, std::uint32_t destination) const {
  return destination / power(fan_out, stages - 1 - digit_of[stage]) % fan_out;
}

std::vector<std::uint32_t> doubling_layers(std::uint32_t stages, std::uint32_t last) {
  std::vector<std::uint32_t> layers(stages);
  for (std::uint32_t i = stages; i-- > 0; last = std::max(1U, last / 2)) layers[i] = last;
  return layers;
}

std::uint32_t exact_log(std::uint32_t base, std::uint64_t value) {
  std::uint32_t n = 0;
  for (; value > 1 && value % base == 0; value /= base) ++n;
  return value == 1 ? n : 0;
}

Banyan make_banyan(std::string_view wiring, std::uint32_t fan_in, std::uint32_t fan_out,
                   std::uint32_t stages) {
  const auto known = std::ranges::find(kWirings, wiring, &WiringName::name);
  if (known == kWirings.end()) throw std::invalid_argument("no wiring named '" + std::string(wiring) + "'");
  if (fan_in != fan_out && !known->rectangular)
    throw std::invalid_argument("wiring '" + std::string(wiring) +
                                "' needs switches with equally many inputs and outputs");

  const std::uint32_t n = stages, r = fan_in;
  Banyan net{fan_in, fan_out, stages, {}, Links(n)};
  std::iota(net.digit_of.begin(), net.digit_of.end(), 0U);
  if (wiring == "generalised-cube") {
    wire_cube(net, [=](std::uint32_t stage) { return n - 1 - stage; });
  } else if (wiring == "indirect-cube") {
    wire_cube(net, [](std::uint32_t stage) { return stage; });
  } else {
    for (std::uint32_t i = 0; i <= n; ++i) {
      const std::uint32_t size = power(fan_in, n - i) * power(fan_out, i);
      if (i == n || (i == 0 && wiring != "omega"))
        net.link_to.push_back(identity(size));
      else if (wiring == "baseline")
        net.link_to.push_back(unshuffle_blocks(size, power(r, n - i + 1), r));
      else
        net.link_to.push_back(shuffle(size, fan_in));
    }
  }
  return net;
}

}  // namespace headway
