// SPDX-License-Identifier: Apache-2.0
// The measured value of a claim, as written in claims.toml: arithmetic over values of the curves of a paper's
// figures.
//
//     1 - saturation('obqa-2') / saturation('voqsw')
//     mean('5a/1q', 280, 300)
//
// A curve is named in quotes, 'curve' of the claim's own figure or 'figure/curve' of another. kFunctions
// lists what can be called; there are + - * / and parentheses. The expression of a curve has its x, too:
//
//     at('1q', x) - at('voqsw', x)
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "headway/pictures/curve.h"

namespace headway {

// A syntax error: its place (0-based offset), the reason, and the valid text.
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

class Expression {
 public:
  // Returns the curve with this name. The caller must check curves() first.
  using Lookup = std::function<const Curve&(std::string_view name)>;

  Expression() = default;  // the number 0
  // With `over_x`, the expression of a curve, in which x stands for a number. Throws ExpressionError.
  explicit Expression(std::string_view text, bool over_x = false);
  double evaluate(const Lookup& curve_of, double x = 0) const;  // NaN outside the range of a curve
  const std::string& text() const { return text_; }
  const std::vector<std::string>& curves() const { return curves_; }  // all named curves, as written

 private:
  friend class ExpressionParser;
  struct Node {
    enum class Kind { number, x, negate, add, subtract, multiply, divide, call } kind = Kind::number;
    double number = 0;
    const struct ClaimFunction* function = nullptr;
    std::string curve = {};
    std::string column = {};
    std::vector<Node> operands = {};
  };
  static double evaluate(const Node& node, const Lookup& curve_of, double x);

  std::string text_ = "0";
  Node root_;
  std::vector<std::string> curves_;
};

}  // namespace headway
