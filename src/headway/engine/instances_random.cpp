// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/make_engine.h"

namespace headway {

template std::unique_ptr<Simulation> make_engine<RandomArbiter>(const Network&, const Workload&,
                                                                const SimulationOptions&);

}  // namespace headway
