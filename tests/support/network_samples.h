// SPDX-License-Identifier: Apache-2.0
// The same small network in the formats that headway import reads: two switches with two hosts each and a
// link between them.
#pragma once

#include <ostream>
#include <string_view>

namespace headway::test {

struct NetworkSample {
  std::string_view format, text;
  int nodes, links;  // links between switches
  // Of a packet of 2048 B from a node of one switch to one of the other, alone: the packet at the rate of its
  // links, and the delays of three links.
  double latency_ns;

  friend void PrintTo(const NetworkSample& of, std::ostream* out) { *out << of.format; }
};

// Where a format has rates and delays: 100 Gbit/s, 50 ns to a host and 500 ns between switches.
inline constexpr double kPacketNs = 2048 / 12.5, kGivenNs = kPacketNs + 50 + 500 + 50,
                        kAssumedNs = kPacketNs + 3 * 100;

inline constexpr NetworkSample kNetworkSamples[] = {
    {"edge-list",
     "# two switches\ns t 100Gbps 500ns\ns a 100Gbps 50ns\ns b 100Gbps 50ns\nt c 100Gbps 50ns\nt d 100Gbps "
     "50ns\n",
     4, 1, kGivenNs},
    {"edge-list",
     "source,target,rate_gbps,delay_ns\ns,t,100,500\ns,a,100,50\nb,s,100,50\nc,t,100,50\nt,d,100,50\n", 4, 1,
     kGivenNs},
    {"adjacency-list", "s: a b t\nt: c d s\n", 4, 1, kAssumedNs},
    {"adjacency-list", "# NetworkX\n4 0 1 5\n5 2 3\n0\n1\n2\n3\n", 4, 1, kAssumedNs},
    {"adjacency-matrix", "0 0 0 0 1 0\n0 0 0 0 1 0\n0 0 0 0 0 1\n0 0 0 0 0 1\n1 1 0 0 0 1\n0 0 1 1 1 0\n", 4,
     1, kAssumedNs},
    {"graphml",
     R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="edge" attr.name="bandwidth" attr.type="string"/>
  <key id="d1" for="edge" attr.name="delay_ns" attr.type="double"><default>50</default></key>
  <key id="d2" for="node" attr.name="label" attr.type="string"/>
  <graph edgedefault="undirected">
    <node id="s"><data key="d2">a switch &amp; more</data></node><node id="t"/>
    <node id="a"/><node id="b"/><node id="c"/><node id="d"/>
    <edge source="s" target="t"><data key="d0">100Gbps</data><data key="d1">500</data></edge>
    <edge source="s" target="a"><data key="d0">100Gbps</data></edge>
    <edge source="s" target="b"><data key="d0">100Gbps</data></edge>
    <edge source="t" target="c"><data key="d0">100Gbps</data></edge>
    <edge source="t" target="d"><data key="d0">100Gbps</data></edge>
  </graph>
</graphml>
)",
     4, 1, kGivenNs},
    {"dot",
     "/* two switches */\ngraph fabric {\n  rankdir = LR; node [shape=box];\n  edge [rate=\"100Gbps\", "
     "delay=\"50ns\"];\n"
     "  s -- { a b };\n  t -- { c d } // hosts\n  s -- t [delay=\"500ns\", label=\"trunk\"]\n}\n",
     4, 1, kGivenNs},
    {"anynet", "router 0 node 0 node 1 router 1 5\nrouter 1 node 2 node 3 router 0 5\n", 4, 1,
     2048 / 16.0 + 1 + 5 + 1},
    {"hpcc-topology",
     "6 2 5\n4 5\n0 4 100Gbps 50ns 0\n1 4 100Gbps 50ns 0\n2 5 100Gbps 50ns 0\n3 5 100Gbps 50ns 0\n4 5 "
     "100Gbps 0.0005ms 0\n",
     4, 1, kGivenNs},
    // Its GPUs have one link here. With several, each is a switch with a node.
    {"simai-topology",
     "6 2 0 2 5 H100\n4 5\n0 4 100Gbps 50ns 0\n1 4 100Gbps 50ns 0\n2 5 100Gbps 50ns 0\n3 5 100Gbps 50ns 0\n"
     "4 5 100Gbps 0.0005ms 0\n",
     4, 1, kGivenNs},
    // One switch.
    {"astra-sim",
     "topology: [ Switch ]\nnpus_count: [ 4 ]\nbandwidth: [ 50.0 ]  # GB/s\nlatency: [ 500.0 ]  # ns\n", 4, 0,
     2048 / 50.0 + 2 * 500},
    {"astra-sim",
     "{ \"topology-name\": \"Hierarchical\", \"topologies-per-dim\": [\"Switch\"], \"dimensions-count\": 1, "
     "\"units-count\": [4],\n"
     "\"links-count\": [1], \"link-latency\": [500], \"link-bandwidth\": [50] }\n",
     4, 0, 2048 / 50.0 + 2 * 500},
    {"ibnetdiscover",
     "parsing: net\nnet: parsed 12 lines\n########################\nNetwork simulator ready.\nSwitch 8 "
     "\"s\"\n"
     "[1] \"a\"[1] # 4xEDR\n[2] \"b\"[1] # 4xEDR\n[3] \"t\"[3] # 4xEDR\n\nSwitch 8 \"t\"\n[1] \"c\"[1] # "
     "4xEDR\n"
     "[2] \"d\"[1] # 4xEDR\n[3] \"s\"[3] # 4xEDR\n\nHca 1 \"a\"\n[1] \"s\"[1]\n\nHca 1 \"b\"\n[1] "
     "\"s\"[2]\n\n"
     "Hca 1 \"c\"\n[1] \"t\"[1]\n\nHca 1 \"d\"\n[1] \"t\"[2]\n",
     4, 1, kAssumedNs},
    {"ibnetdiscover-ports",
     "SW     1  1 0x0000000000000010 4x EDR - CA     3  1 0x0000000000000030 ( 's' - 'a HCA-1' )\n"
     "SW     1  2 0x0000000000000010 4x EDR - CA     4  1 0x0000000000000040 ( 's' - 'b HCA-1' )\n"
     "SW     1  3 0x0000000000000010 4x EDR - SW     2  3 0x0000000000000020 ( 's' - 't' )\n"
     "SW     1  4 0x0000000000000010 4x ???                                    's'\n"
     "SW     2  1 0x0000000000000020 4x EDR - CA     5  1 0x0000000000000050 ( 't' - 'c HCA-1' )\n"
     "SW     2  2 0x0000000000000020 4x EDR - CA     6  1 0x0000000000000060 ( 't' - 'd HCA-1' )\n"
     "SW     2  3 0x0000000000000020 4x EDR - SW     1  3 0x0000000000000010 ( 't' - 's' )\n"
     "CA     3  1 0x0000000000000030 4x EDR - SW     1  1 0x0000000000000010 ( 'a HCA-1' - 's' )\n",
     4, 1, kAssumedNs},
    {"iblinkinfo",
     "Switch: 0x0000000000000010 MF0;s:X/U1:\n"
     "           1    1[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>       3    1[  ] \"a HCA-1\" ( )\n"
     "           1    2[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>       4    1[  ] \"b HCA-1\" ( )\n"
     "           1    3[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>       2    3[  ] \"t\" ( Could be "
     "106.25 Gbps)\n"
     "           1    4[  ] ==(                Down/ Polling)==>             [  ] \"\" ( )\n"
     "CA: a HCA-1:\n"
     "      0x0000000000000030      3    1[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>       1    1[  "
     "] \"MF0;s:X/U1\" ( )\n"
     "Switch: 0x0000000000000020 t:\n"
     "           2    1[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>       5    1[  ] \"c HCA-1\" ( )\n"
     "           2    2[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>       6    1[  ] \"d HCA-1\" ( )\n"
     "           2    3[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>       1    3[  ] \"MF0;s:X/U1\" ( "
     ")\n",
     4, 1, kAssumedNs},
    {"iblinkinfo",  // --line
     "0x0000000000000010 \"      s[0]\"      1    1[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>  "
     "0x0000000000000030      3    1[  ] \"a\" ( )\n"
     "0x0000000000000010 \"      s[0]\"      1    2[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>  "
     "0x0000000000000040      4    1[  ] \"b\" ( )\n"
     "0x0000000000000010 \"      s[0]\"      1    3[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>  "
     "0x0000000000000020      2    3[  ] \"t\" ( )\n"
     "0x0000000000000020 \"         t\"      2    1[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>  "
     "0x0000000000000050      5    1[  ] \"c\" ( )\n"
     "0x0000000000000020 \"         t\"      2    2[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>  "
     "0x0000000000000060      6    1[  ] \"d\" ( )\n",
     4, 1, kAssumedNs},
};

}  // namespace headway::test
