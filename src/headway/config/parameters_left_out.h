// SPDX-License-Identifier: Apache-2.0
// A visitor of parameters that does nothing; derived visitors override the functions that they need.
#pragma once

#include "headway/config/parameters.h"

namespace headway {

class ParametersLeftOut : public Parameters {
 public:
  using Parameters::field;
  void field(const Parameter&, bool&) override {}
  void field(const Parameter&, std::int64_t&) override {}
  void field(const Parameter&, double&) override {}
  void field(const Parameter&, std::string&) override {}
  void field(const Parameter&, InputFile&) override {}
  void field(const Parameter&, Bytes&) override {}
  void field(const Parameter&, Duration&) override {}
  void field(const Parameter&, Rate&) override {}
  void field(const Parameter&, std::optional<std::int64_t>&) override {}
  void field(const Parameter&, std::optional<double>&) override {}
  void field(const Parameter&, std::optional<Bytes>&) override {}
  void field(const Parameter&, std::optional<Duration>&) override {}
  void field(const Parameter&, std::vector<std::int64_t>&) override {}
  void field(const Parameter&, std::vector<double>&) override {}
  void field(const Parameter&, NodeSet&) override {}
  void field(const Parameter&, std::vector<std::string>&) override {}
};

}  // namespace headway
