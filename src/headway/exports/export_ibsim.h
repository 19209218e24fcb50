// SPDX-License-Identifier: Apache-2.0
// The network of a spec as a file of ibsim, the simulator with which OpenSM runs without hardware. It has the
// form of ibnetdiscover, so that topology "file" reads it, too.
#pragma once

#include <string>
#include <vector>

#include "headway/spec/spec.h"

namespace headway {

struct IbsimNetwork {
  std::string text;
  std::vector<std::string> notes;  // sentences on what the file does not say
};

// The network without its failed links. Throws SpecError with everything that such a file cannot express; a
// network of another kernel has none.
IbsimNetwork ibsim_network(const Spec& spec);

}  // namespace headway
