// SPDX-License-Identifier: Apache-2.0
// A recursive-descent parser (one function per level of precedence) and a tree evaluation. Functions are
// data: a new function is a line in the table.
#include "headway/pictures/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "headway/base/parse_number.h"

namespace headway {

// curve.h defines the functions of a curve.
struct ClaimFunction {
  struct Arguments {
    const Curve* curve;           // of functions of a curve
    std::vector<double> numbers;  // then these
    std::string_view column;      // the column to read, if one is named
  };

  std::string_view name;
  std::string_view call;  // its syntax
  bool of_curve;          // the first argument is a curve, and the last one can be a column
  std::size_t at_least;   // number of numeric arguments
  std::size_t at_most;
  double (*evaluate)(const Arguments&);
};

namespace {

using Arguments = ClaimFunction::Arguments;
constexpr std::size_t kMany = 1000;

constexpr std::array kFunctions = {
    ClaimFunction{"at", "at('curve', x)", true, 1, 1,
                  [](const Arguments& a) { return at(*a.curve, a.numbers[0], a.column); }},
    ClaimFunction{"mean", "mean('curve', from, to)", true, 2, 2,
                  [](const Arguments& a) { return mean(*a.curve, a.numbers[0], a.numbers[1], a.column); }},
    ClaimFunction{"lowest", "lowest('curve', from, to)", true, 2, 2,
                  [](const Arguments& a) { return lowest(*a.curve, a.numbers[0], a.numbers[1], a.column); }},
    ClaimFunction{"highest", "highest('curve', from, to)", true, 2, 2,
                  [](const Arguments& a) { return highest(*a.curve, a.numbers[0], a.numbers[1], a.column); }},
    ClaimFunction{"below", "below('curve', limit)", true, 1, 1,
                  [](const Arguments& a) { return below(*a.curve, a.numbers[0], a.column); }},
    ClaimFunction{"strays", "strays('curve', x, x, ..., 'victim')", true, 0, kMany,
                  [](const Arguments& a) { return strays(*a.curve, a.numbers, a.column); }},
    ClaimFunction{"value", "value('curve')", true, 0, 0,
                  [](const Arguments& a) { return value(*a.curve, a.column); }},
    ClaimFunction{"saturation", "saturation('curve', times)", true, 0, 1,
                  [](const Arguments& a) {
                    return saturation(*a.curve, a.numbers.empty() ? kSaturatedLatency : a.numbers[0]);
                  }},
    ClaimFunction{"min", "min(a, b, ...)", false, 1, kMany,
                  [](const Arguments& a) { return std::ranges::min(a.numbers); }},
    ClaimFunction{"max", "max(a, b, ...)", false, 1, kMany,
                  [](const Arguments& a) { return std::ranges::max(a.numbers); }},
    ClaimFunction{"abs", "abs(a)", false, 1, 1, [](const Arguments& a) { return std::abs(a.numbers[0]); }},
};

}  // namespace

class ExpressionParser {
 public:
  using Node = Expression::Node;
  using Kind = Node::Kind;

  ExpressionParser(std::string_view text, bool over_x, std::vector<std::string>& curves)
      : text_(text), over_x_(over_x), curves_(curves) {}

  Node parse() {
    Node root = sum();
    if (skip_space(); at_ < text_.size()) fail(at_, fmt::format("unexpected '{}'", text_[at_]));
    return root;
  }

 private:
  Node sum() {
    Node left = product();
    while (true) {
      if (take('+'))
        left = join(Kind::add, std::move(left), product());
      else if (take('-'))
        left = join(Kind::subtract, std::move(left), product());
      else
        return left;
    }
  }

  Node product() {
    Node left = factor();
    while (true) {
      if (take('*'))
        left = join(Kind::multiply, std::move(left), factor());
      else if (take('/'))
        left = join(Kind::divide, std::move(left), factor());
      else
        return left;
    }
  }

  Node factor() {
    // brackets and signs nest by recursion; the limit keeps invalid text from exhausting the stack
    if (++depth_ > 100) fail(at_, "nested too deeply");
    Node result = unnested_factor();
    --depth_;
    return result;
  }

  Node unnested_factor() {
    if (take('-')) return {.kind = Kind::negate, .operands = {factor()}};
    if (take('(')) {
      Node inside = sum();
      expect(')');
      return inside;
    }
    skip_space();
    if (at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_]))) return call();
    return number();
  }

  Node number() {
    Node node;
    std::string_view rest = text_.substr(at_);
    const auto number = take_number<double>(rest);
    if (!number) fail(at_, "expected a number, a function or '('");
    node.number = *number;
    at_ = text_.size() - rest.size();
    return node;
  }

  Node call() {
    const std::size_t start = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_'))
      ++at_;
    const std::string_view name = text_.substr(start, at_ - start);
    if (over_x_ && name == "x") return {.kind = Kind::x};
    const auto found = std::ranges::find(kFunctions, name, &ClaimFunction::name);
    if (found == kFunctions.end()) fail(start, fmt::format("unknown function '{}'", name), known_functions());

    Node node{.kind = Kind::call, .function = &*found};
    expect('(');
    bool more = true;
    if (found->of_curve) {
      node.curve = quoted();
      curves_.push_back(node.curve);
      more = take(',');
    }
    while (more) {
      skip_space();
      if (found->of_curve && at_ < text_.size() && text_[at_] == '\'') {
        node.column = quoted();
        break;
      }
      node.operands.push_back(sum());
      more = take(',');
    }
    expect(')');
    if (node.operands.size() < found->at_least || node.operands.size() > found->at_most)
      fail(start, fmt::format("wrong number of arguments for {}", name),
           fmt::format("write {}", found->call));
    return node;
  }

  std::string quoted() {
    expect('\'');
    const std::size_t end = text_.find('\'', at_);
    if (end == std::string_view::npos) fail(at_, "this quote is not closed");
    std::string inside(text_.substr(at_, end - at_));
    at_ = end + 1;
    return inside;
  }

  static Node join(Kind kind, Node left, Node right) {
    return {.kind = kind, .operands = {std::move(left), std::move(right)}};
  }

  static std::string known_functions() {
    std::string names = "valid:";
    for (const ClaimFunction& function : kFunctions) names += fmt::format(" {}", function.name);
    return names;
  }

  void skip_space() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  bool take(char wanted) {
    skip_space();
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  void expect(char wanted) {
    if (!take(wanted))
      fail(at_, fmt::format("expected {}",
                            wanted == '\'' ? "a name in single quotes" : std::string{'\'', wanted, '\''}));
  }

  [[noreturn]] static void fail(std::size_t offset, const std::string& message, std::string hint = "") {
    throw ExpressionError(offset, message, std::move(hint));
  }

  std::string_view text_;
  bool over_x_;
  std::vector<std::string>& curves_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

Expression::Expression(std::string_view text, bool over_x) : text_(text) {
  root_ = ExpressionParser(text_, over_x, curves_).parse();
}

double Expression::evaluate(const Lookup& curve_of, double x) const { return evaluate(root_, curve_of, x); }

double Expression::evaluate(const Node& node, const Lookup& curve_of, double x) {
  std::vector<double> numbers;
  for (const Node& operand : node.operands) numbers.push_back(evaluate(operand, curve_of, x));
  switch (node.kind) {
    case Node::Kind::number:
      return node.number;
    case Node::Kind::x:
      return x;
    case Node::Kind::negate:
      return -numbers[0];
    case Node::Kind::add:
      return numbers[0] + numbers[1];
    case Node::Kind::subtract:
      return numbers[0] - numbers[1];
    case Node::Kind::multiply:
      return numbers[0] * numbers[1];
    case Node::Kind::divide:
      return numbers[0] / numbers[1];
    case Node::Kind::call:
      break;
  }
  // NaN must not disappear in a min or max
  if (std::ranges::any_of(numbers, [](double number) { return std::isnan(number); })) return std::nan("");
  const Curve* curve = node.function->of_curve ? &curve_of(node.curve) : nullptr;
  return node.function->evaluate({curve, std::move(numbers), node.column});
}

}  // namespace headway
