// SPDX-License-Identifier: Apache-2.0
// The state of a device's arbitration: which inputs and outputs are free, which inputs request which outputs,
// and which inputs have unbound heads, which are heads without an output. These are views of words that State
// holds. Ports are numbered within the device.
//
// With up to 8 ports, all requests fit one word, with a byte per output. Three operations give the pairs of
// ports that can be granted. With more ports there is a set of inputs per output, and one set of the
// requested outputs.
#pragma once

#include <bit>
#include <cstdint>

#include "headway/engine/port_set.h"
#include "headway/engine/shape.h"

namespace headway {

// For a device with any number of ports.
template <PortCount kPorts>
class Crossbar {
 public:
  static constexpr bool kWide = kPorts == PortCount::many;
  static constexpr std::uint32_t kSets = 4;
  using Ports = PortSet<kWide>;
  using Common = typename Ports::Common;

  // `sets`: [free inputs, free outputs, requested outputs, inputs with unbound heads][words]. `requests`:
  // [output] sets of inputs, `stride` words apart.
  Crossbar(std::uint64_t* sets, std::uint64_t* requests, std::uint32_t stride, std::uint32_t words)
      : sets_(sets), requests_(requests), stride_(stride), words_(words) {}

  bool is_free_input(std::uint32_t input) { return free_inputs().contains(input); }
  bool is_free_output(std::uint32_t output) { return free_outputs().contains(output); }
  void free_input(std::uint32_t input) { free_inputs().insert(input); }
  void free_output(std::uint32_t output) { free_outputs().insert(output); }
  void take_input(std::uint32_t input) { free_inputs().erase(input); }
  void take_output(std::uint32_t output) { free_outputs().erase(output); }

  void request(std::uint32_t input, std::uint32_t output) {
    requests_of(output).insert(input);
    requested().insert(output);
  }
  void withdraw(std::uint32_t input, std::uint32_t output) {
    Ports inputs = requests_of(output);
    inputs.erase(input);
    requested().erase_if(inputs.empty(), output);
  }
  bool requests(std::uint32_t input, std::uint32_t output) { return requests_of(output).contains(input); }
  bool is_requested(std::uint32_t output) { return requested().contains(output); }
  std::uint32_t inputs_that_request(std::uint32_t output) { return requests_of(output).size(); }

  // Returns false only if a round can grant nothing; `has_work_at`: nothing at this output.
  bool has_work() { return !wanted().empty(); }
  bool has_work_at(std::uint32_t output) { return is_free_output(output) && is_requested(output); }

  // Visits the free requested outputs in ascending order of `output` XOR draw(), with the free inputs that
  // request them. One bit of the draw, the highest in which two outputs differ, decides which of them goes
  // first, and no other output matters. draw() returns a number below 2^32; it is called only if there are
  // several outputs.
  template <class Draw, class Visit>
  [[gnu::always_inline]] void visit(Draw&& draw, Visit&& visit) {
    const Common outputs = wanted();
    outputs.visit_mixed(outputs.has_several() ? static_cast<std::uint32_t>(draw()) : 0,
                        [&](std::uint32_t output) { visit(output, open_inputs(output)); });
  }

  // The free inputs that request an output.
  Common open_inputs(std::uint32_t output) { return Common(requests_of(output), free_inputs()); }

  Ports unbound() { return set(3); }
  // Inputs with unbound heads; with `free_only`, only the free ones.
  Common unbound_inputs(bool free_only) { return Common(unbound(), free_only ? free_inputs() : unbound()); }

  // For prefetching, up to 64 ports: two outputs that may be granted, the first free input from `first` on
  // that requests one of them, and an input with unbound heads. Port 0 stands for none.
  std::uint32_t lowest_wanted() const { return lowest_bit(sets_[1] & sets_[2]); }
  std::uint32_t highest_wanted() const { return highest_bit(sets_[1] & sets_[2]); }
  std::uint32_t candidate(std::uint32_t output, std::uint32_t first) const {
    return first_from(requests_[output * stride_] & sets_[0], first);
  }
  std::uint32_t lowest_unbound() const { return lowest_bit(sets_[3]); }

 private:
  Ports set(std::uint32_t which) { return {sets_ + (kWide ? which * words_ : which), words_}; }
  Ports free_inputs() { return set(0); }
  Ports free_outputs() { return set(1); }
  Ports requested() { return set(2); }
  Common wanted() { return Common(requested(), free_outputs()); }
  Ports requests_of(std::uint32_t output) {
    return {requests_ + static_cast<std::size_t>(output) * stride_, words_};
  }

  std::uint64_t* sets_;
  std::uint64_t* requests_;
  std::uint32_t stride_;
  std::uint32_t words_;
};

// For a device with at most 8 ports. A word has a byte per output and, in each byte, a bit per input, so bit
// 8 * output + input stands for a pair of ports. With 3 ports, input 0 at the right of each byte:
//
//                  output 2   output 1   output 0
//   free inputs       101        101        101      inputs 0 and 2 are free: the same byte for every output
//   free outputs      111        000        111      output 1 is taken
//   requests          010        001        110
//   open              000        000        100      all three: output 0 can be granted to input 2
//
// With three changes made at the same time, a run takes 0.82 to 0.85 of the instructions of one whose rounds
// visit every free output (docs/decisions.md). crossbar.test.cpp compares it with a plain crossbar.
template <>
class Crossbar<PortCount::few> {
 public:
  using Ports = PortSet<false>;
  using Common = Ports::Common;

  // `words`: pairs of free inputs, pairs of free outputs, pairs with a request, inputs with unbound heads.
  explicit Crossbar(std::uint64_t* words) : words_(words) {}

  bool is_free_input(std::uint32_t input) const { return (free_inputs() >> input & 1) != 0; }
  bool is_free_output(std::uint32_t output) const { return (free_outputs() >> (8 * output) & 1) != 0; }
  void free_input(std::uint32_t input) { words_[0] |= kInput << input; }
  void free_output(std::uint32_t output) { words_[1] |= kOutput << (8 * output); }
  void take_input(std::uint32_t input) { words_[0] &= ~(kInput << input); }
  void take_output(std::uint32_t output) { words_[1] &= ~(kOutput << (8 * output)); }

  void request(std::uint32_t input, std::uint32_t output) { words_[2] |= pair(input, output); }
  void withdraw(std::uint32_t input, std::uint32_t output) { words_[2] &= ~pair(input, output); }
  bool requests(std::uint32_t input, std::uint32_t output) const {
    return (requested() & pair(input, output)) != 0;
  }
  bool is_requested(std::uint32_t output) const { return (requested() & kOutput << (8 * output)) != 0; }
  std::uint32_t inputs_that_request(std::uint32_t output) const {
    return static_cast<std::uint32_t>(std::popcount(requested() >> (8 * output) & kOutput));
  }

  bool has_work() const { return open() != 0; }
  bool has_work_at(std::uint32_t output) const { return (open() & kOutput << (8 * output)) != 0; }

  // As above, but visits only outputs that a free input requests.
  template <class Draw, class Visit>
  [[gnu::always_inline]] void visit(Draw&& draw, Visit&& visit) {
    const std::uint64_t wanted = outputs_of(requested() & free_outputs());
    const auto mix = (wanted & (wanted - 1)) != 0 ? static_cast<std::uint32_t>(draw()) & 7 : 0;
    for (std::uint64_t left = ~0ULL;;) {  // pairs of outputs not yet visited; byte i is output i XOR mix
      left &= mixed<8>(open(), mix);
      if (left == 0) return;
      const std::uint32_t step = lowest_bit(left) / 8;
      visit(step ^ mix, Inputs{left >> (8 * step) & kOutput});
      left = ~0ULL << (8 * step) << 8;
    }
  }

  Ports unbound() { return {words_ + 3, 1}; }
  Common unbound_inputs(bool free_only) {
    free_ = free_inputs() & kOutput;
    return Common(unbound(), free_only ? Ports(&free_, 1) : unbound());
  }

  std::uint32_t lowest_wanted() const { return lowest_bit(open()) / 8; }
  std::uint32_t highest_wanted() const { return highest_bit(open()) / 8; }
  std::uint32_t candidate(std::uint32_t output, std::uint32_t first) const {
    return first_from(open() >> (8 * output) & kOutput, first);
  }
  std::uint32_t lowest_unbound() const { return lowest_bit(words_[3]); }

 private:
  static constexpr std::uint64_t kInput = 0x0101010101010101;  // all pairs of input 0
  static constexpr std::uint64_t kOutput = 0xff;               // all pairs of output 0
  static constexpr std::uint64_t kMarks = 0x80 * kInput;

  class Inputs {
   public:
    explicit Inputs(std::uint64_t inputs) : inputs_(inputs) {}
    template <class Visit>
    [[gnu::always_inline]] void visit_from(std::uint32_t first, Visit&& visit) const {
      visit_bits(inputs_, first, visit);
    }

   private:
    std::uint64_t inputs_;
  };

  static std::uint64_t pair(std::uint32_t input, std::uint32_t output) {
    return 1ULL << (8 * output + input);
  }
  // Sets the top bit of the byte of each output that has a pair.
  static std::uint64_t outputs_of(std::uint64_t pairs) {
    return (((pairs & ~kMarks) + ~kMarks) | pairs) & kMarks;
  }

  std::uint64_t free_inputs() const { return words_[0]; }
  std::uint64_t free_outputs() const { return words_[1]; }
  std::uint64_t requested() const { return words_[2]; }
  std::uint64_t open() const { return requested() & free_inputs() & free_outputs(); }

  std::uint64_t* words_;
  std::uint64_t free_ = 0;
};

}  // namespace headway
