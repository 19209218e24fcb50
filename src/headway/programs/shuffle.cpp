// SPDX-License-Identifier: Apache-2.0
// Shuffle: mappers compute and send a block to every reducer, which computes when it has all of them. Source:
// Dean, Ghemawat, "MapReduce: simplified data processing on large clusters", OSDI 2004.
#include "headway/programs/parts.h"

namespace headway {
namespace {

class Shuffle final : public ProgramKind {
 public:
  void describe(Parameters& parameters) override {
    roles_.describe(
        parameters,
        "number of mappers, which are the first ranks; default: half of the ranks, or all that do not reduce",
        "number of reducers; default: half of the ranks, or all that do not map");
    parameters.field(bytes_parameter("size", "bytes that each mapper sends to each reducer"), size_);
    parameters.field(time_parameter("map", "time that a mapper computes before it sends"), map_);
    parameters.field(time_parameter("reduce", "time that a reducer computes when it has received all"),
                     reduce_);
  }
  std::optional<std::uint32_t> ranks() const override { return roles_.ranks(); }
  void check(std::uint32_t ranks, Mistakes& mistakes) const override { roles_.check(ranks, mistakes); }

  void build(ProgramBuilder& builder) const override {
    const auto [mappers, reducers] = roles_.counts(builder.ranks());
    for (std::uint32_t mapper = 0; mapper < mappers; ++mapper) {
      Steps steps(builder, mapper);
      steps.compute(picoseconds(map_));
      steps.next();
      for (std::uint32_t i = 0; i < reducers; ++i)
        steps.send(mappers + (mapper + i) % reducers, bytes_of(size_));
    }
    for (std::uint32_t reducer = mappers; reducer < mappers + reducers; ++reducer) {
      Steps steps(builder, reducer);
      for (std::uint32_t mapper = 0; mapper < mappers; ++mapper) steps.receive(mapper, bytes_of(size_));
      steps.next();
      steps.compute(picoseconds(reduce_));
    }
  }

 private:
  TwoRoles roles_{"mappers", "reducers", std::nullopt};
  Bytes size_{64 << 10};
  Duration map_;
  Duration reduce_;
};

}  // namespace

Entry<ProgramKind> shuffle() {
  return {"shuffle", "mappers compute and send to all reducers", "Dean and Ghemawat, OSDI 2004",
          make_entry<ProgramKind, Shuffle>};
}

}  // namespace headway
