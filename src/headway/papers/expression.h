// SPDX-License-Identifier: Apache-2.0
// What a claim compares, as written in claims.toml: arithmetic over numbers read off the curves of a paper's
// figures.
//
//     1 - saturation('obqa-2') / saturation('voqsw')
//     mean('5a/1q', 280, 300)
//
// A curve is named in quotes, 'curve' of the claim's own figure or 'figure/curve' of another. kFunctions
// lists what can be called; there are + - * / and parentheses.
#pragma once

#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "headway/papers/curve.h"

namespace headway {

// The text cannot be read: where (0-based offset), why, and what would be valid.
class ExpressionError : public std::runtime_error {
 public:
  ExpressionError(std::size_t offset, const std::string& message, std::string hint = "")
      : std::runtime_error(message), offset_(offset), hint_(std::move(hint)) {}
  std::size_t offset() const { return offset_; }
  const std::string& hint() const { return hint_; }

 private:
  std::size_t offset_;
  std::string hint_;
};

struct ClaimFunction {
  struct Arguments {
    const Curve* curve;           // of functions of a curve
    std::vector<double> numbers;  // then these
    std::string_view column;      // and the column to read, if one is named
  };

  std::string_view name;
  std::string_view call;  // how it is written
  std::string_view help;
  bool of_curve;         // the first argument is a curve, and a column may be named last
  std::size_t at_least;  // number of numeric arguments
  std::size_t at_most;
  double (*evaluate)(const Arguments&);
};
std::span<const ClaimFunction> claim_functions();

class Expression {
 public:
  // The curve of that name, which exists: whoever reads the text checks curves() first.
  using Lookup = std::function<const Curve&(std::string_view name)>;

  Expression() = default;                         // the number 0
  explicit Expression(std::string_view text);     // throws ExpressionError
  double evaluate(const Lookup& curve_of) const;  // NaN where a curve does not reach
  const std::string& text() const { return text_; }
  const std::vector<std::string>& curves() const { return curves_; }  // every curve mentioned, as written

 private:
  friend class ExpressionParser;
  struct Node {
    enum class Kind { number, negate, add, subtract, multiply, divide, call } kind = Kind::number;
    double number = 0;
    const ClaimFunction* function = nullptr;
    std::string curve;
    std::string column;
    std::vector<Node> operands;
  };
  static double evaluate(const Node& node, const Lookup& curve_of);

  std::string text_ = "0";
  Node root_;
  std::vector<std::string> curves_;
};

}  // namespace headway
