// SPDX-License-Identifier: Apache-2.0
// For visitors that treat parameters of all types in the same way: one template `visit` instead of a function
// per type.
#pragma once

#include "headway/config/parameters.h"

namespace headway {

// Derived has template <class V> void visit(const Parameter&, V&). Base is Parameters or an interface derived
// from it.
template <class Derived, class Base = Parameters>
class ParameterVisitor : public Base {
 public:
  void field(const Parameter& p, bool& value) final { self().visit(p, value); }
  void field(const Parameter& p, std::int64_t& value) final { self().visit(p, value); }
  void field(const Parameter& p, double& value) final { self().visit(p, value); }
  void field(const Parameter& p, std::string& value) final { self().visit(p, value); }
  void field(const Parameter& p, InputFile& value) final { self().visit(p, value); }
  void field(const Parameter& p, Bytes& value) final { self().visit(p, value); }
  void field(const Parameter& p, Duration& value) final { self().visit(p, value); }
  void field(const Parameter& p, Rate& value) final { self().visit(p, value); }
  void field(const Parameter& p, std::optional<std::int64_t>& value) final { self().visit(p, value); }
  void field(const Parameter& p, std::optional<double>& value) final { self().visit(p, value); }
  void field(const Parameter& p, std::optional<Bytes>& value) final { self().visit(p, value); }
  void field(const Parameter& p, std::optional<Duration>& value) final { self().visit(p, value); }
  void field(const Parameter& p, std::vector<std::int64_t>& value) final { self().visit(p, value); }
  void field(const Parameter& p, std::vector<double>& value) final { self().visit(p, value); }
  void field(const Parameter& p, NodeSet& value) final { self().visit(p, value); }
  void field(const Parameter& p, std::vector<std::string>& value) final { self().visit(p, value); }

 private:
  Derived& self() { return static_cast<Derived&>(*this); }
};

}  // namespace headway
