// SPDX-License-Identifier: Apache-2.0
// The public library: describe an experiment, run it, read its results. This header and those that it needs
// are installed (cmake/public_headers.txt); everything else is internal and may change at any time.
//
//   headway::EventSpec spec;                                // one point, by value (spec/spec.h)
//   spec.switches.scheme = headway::choose(headway::schemes(), "obqa", {{"queues", 4}});
//   const headway::Result result = headway::run(spec);      // one run (run/run.h)
//   result.metric("accepted_load");                         // names and units: headway::all_metrics()
//
//   const headway::Experiment experiment = headway::load_experiment(headway::read_toml("my.toml"));
//   headway::Collection collection(experiment, {"out"});    // a sweep in a directory
//   collection.resume();                                     // (run/collection.h)
//   collection.run({});
#pragma once

#include "headway/compile/load.h"
#include "headway/config/assign.h"
#include "headway/config/toml.h"
#include "headway/metrics/metric.h"
#include "headway/metrics/result.h"
#include "headway/run/collection.h"
#include "headway/run/run.h"
#include "headway/run/saturation.h"
#include "headway/spec/spec.h"
#include "headway/spec/write_spec.h"
