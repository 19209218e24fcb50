# SPDX-License-Identifier: Apache-2.0
"""A sweep from Python

Which load saturates a tree of 64 nodes, with one queue per port and with a queue per output? The sweep has two
schemes, four loads and three seeds each, and runs on all cores. Results are means over the seeds with 95 %
intervals; a point that is not in a steady state says so. Keys, metrics and units are the same as in a spec file,
and the same spec and seed give the same bytes as the program.

  python3 examples/sweep.py
"""

import headway as hw
import numpy as np

spec = hw.Spec(
    network={"topology": "k-ary-n-tree", "k": 4, "n": 3, "link": {"rate": "12.5 GB/s", "delay": "20 ns"}},
    switch={"input_memory": "64 KiB"},
    traffic={"packet": "1 KiB", "flow": [{"pattern": "uniform"}]},
    measure={"warmup": "20 us", "duration": "200 us"},
)
sweep = hw.sweep(spec, {"switch.scheme": ["1q", "voqsw"], "traffic.flow[0].load": np.linspace(0.2, 0.8, 4)}, seeds=3)

for point in sweep:
    r = point.result
    print(f"{point.params['switch.scheme']:6} {point.params['traffic.flow[0].load']:.2f}  {r.status:10}"
          f"  accepted {r.accepted_load:.3f} +- {r.intervals['accepted_load']:.3f}, p99 {r.latency_p99_ns:.0f} ns")

sweep.plot("offered_load", "latency_mean_ns", by="switch.scheme").figure.savefig("sweep.svg")
