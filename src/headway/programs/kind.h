// SPDX-License-Identifier: Apache-2.0
// The family of programs: collectives, patterns of applications, and programs from files.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "headway/base/error.h"
#include "headway/config/parameters.h"
#include "headway/config/registry.h"
#include "headway/programs/builder.h"

namespace headway {

class ProgramKind {
 public:
  virtual ~ProgramKind() = default;
  virtual void describe(Parameters& parameters) = 0;
  // The number of ranks that the parameters or the file give; none: any number.
  virtual std::optional<std::uint32_t> ranks() const { return std::nullopt; }
  // Reports mistakes for this number of ranks, which is ranks() if that gives one; keys are relative to the
  // job ("size", "algorithm").
  virtual void check(std::uint32_t, Mistakes&) const {}
  // Adds the operations of all ranks of the builder, after a check without mistakes. Throws SpecError for
  // mistakes in a file, with keys as in `check`.
  virtual void build(ProgramBuilder& builder) const = 0;
  // The bytes whose division by the time of an iteration gives the bus bandwidth of the program, by the
  // convention of NCCL's tests (docs/programs.md); 0: there is no convention for it.
  virtual double bus_bytes(std::uint32_t) const { return 0; }
  // True if its operations can wait for each other in a cycle. Those of the built-in programs never do.
  virtual bool can_stand_still() const { return false; }
  // Tells the number of consecutive ranks that share a server, which are its groups unless the spec gives
  // others. Called before `check`, and only if servers have as many ranks each.
  virtual void use_servers(std::uint32_t /*ranks_per_server*/) {}
  // True if its operations depend on where its ranks are in the network (ProgramBuilder::use_switches).
  virtual bool uses_switches() const { return false; }
  // Takes the programs that a job lists. Returns false if this program has no parts.
  virtual bool take_parts(std::span<const Choice<ProgramKind>>) { return false; }
};

Registry<ProgramKind> programs();

}  // namespace headway
