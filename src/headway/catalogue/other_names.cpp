// SPDX-License-Identifier: Apache-2.0
#include "headway/config/other_names.h"

#include <fmt/format.h>

#include <string>

#include "headway/base/small_letters.h"

namespace headway {
namespace {

// BookSim 2, CAMINOS, SuperSim and htsim; InfiniBand and OpenSM; RoCE and Ethernet; Dally and Towles.
constexpr OtherNames kOtherNames[] = {
    // commands and options of this program
    {"headway run", "simulate sim sweep"},
    {"headway new", "init create example examples template"},
    {"headway check", "validate lint"},
    {"headway plot", "graph draw"},
    {"headway view", "show gui"},
    {"headway why", "diagnose account theorem rootcause"},
    {"headway import", "convert booksim caminos anynet graphml graphviz edgelist iblinkinfo simai"},
    {"headway submit", "slurm sbatch"},
    {"headway help", "man docs"},
    {"headway --version", "version"},
    {"headway run --out", "output outdir"},
    {"headway run --jobs", "parallel cores"},
    {"headway run --quiet", "silent"},

    // pages of the documentation
    {"docs/cluster.md", "slurm mpi"},
    {"docs/howto/opensm.md", "opensm"},
    {"docs/coming-from.md", "booksim caminos ns3"},
    {"docs/fabrics.md", "leaf spine tor topofrack pod ethernet"},
    {"docs/waiting.md", "congestiontree culprit"},

    // topologies
    {"pgft", "fattree clos foldedclos leafspine spineleaf xgft rlft"},
    {"k-ary-n-tree", "fattree kntree karyntree"},
    {"bmin", "min"},
    {"generalised-cube", "butterfly fly"},
    {"omega", "banyan"},
    {"hyperx", "flatfly flattenedbutterfly hamming hypercube fullmesh"},
    {"mesh", "cmesh grid"},
    {"torus", "ring cube"},
    {"dragonfly", "dragonflynew"},
    {"dragonfly-plus", "megafly"},
    {"single-switch", "crossbar star"},
    {"file", "anynet custom ibnetdiscover"},
    {"rails", "nvlink nvswitch rail railoptimized railonly dgx superpod gpu gpus"},
    // routing
    {"det", "dmodk ftree deterministic destro"},
    {"random-up", "random nca"},
    {"adaptive", "anca minadapt ar"},
    {"valiant", "oblivious vlb"},
    {"dor", "dimorder xy xyz ecube"},
    {"minimal", "min shortest minhop"},
    {"ugal", "ugall ugalg"},
    {"up-down", "updn"},
    {"ecmp", "ecmphost"},
    {"spray", "packetspray rps"},
    {"dfsssp", "sssp"},
    {"routing.file", "lft routingtable"},
    {"routing.algorithm", "routingfunction routingengine"},
    // queues and lanes
    {"voqsw", "voq virtualoutputqueue"},
    {"voqnet", "voq"},
    {"1q", "fifo singlequeue"},
    {"recn-iq", "recn"},
    {"switch.scheme", "queueing queuing"},
    {"switch.virtual_channels", "vc vcs numvcs virtualchannel"},
    {"switch.lanes", "vc vcs numvcs vl vls virtuallane virtuallanes"},
    {"traffic.flow.service_level", "sl priority qos"},
    {"switch.lane_table_file", "sl2vl"},
    {"switch.vlarb_high", "vlarb"},
    {"switch.input_memory", "buffer buffers buffersize bufsize inputbuffer inputbuffersize"},
    {"switch.queue_memory", "queuesize vcbufsize"},
    {"switch.output_memory", "outputbuffer outputbuffersize"},
    // switches and links
    {"iq", "inputqueued"},
    {"cioq", "inputoutput"},
    {"oq", "outputqueued sharedmemory sharedbuffer"},
    {"routing.choose", "dlb dynamicloadbalancing"},
    {"switch.architecture", "inputoutput router"},
    {"cut-through", "vct virtualcutthrough"},
    {"store-and-forward", "saf"},
    {"round-robin", "islip rr"},
    {"oldest-first", "age agebased localage"},
    {"oldest-injected", "networkage"},
    {"switch.arbiter", "allocator vcallocator swallocator arbitration"},
    {"switch.crossbar_speedup", "speedup internalspeedup"},
    {"switch.routing_delay", "routerdelay routerlatency switchdelay switchlatency pipeline"},
    {"network.link.rate", "bandwidth linkbandwidth linkspeed speed capacity"},
    {"network.link.delay", "linklatency channellatency latency propagationdelay"},
    {"red", "ecn wred"},
    {"switch.marking", "ecn fecn"},
    {"node.reaction", "becn congestioncontrol cc"},
    {"node.notification_packet", "cnp"},
    {"node", "nic hca rnic adapter host endpoint terminal"},
    {"pfc", "pause roce dcb"},
    {"switch.flow_control", "lossless"},
    {"credits", "creditbased"},
    {"lane-credits", "creditbased vlcredits"},
    {"network.nodes_per_switch", "concentration"},
    {"network.oversubscription", "taper tapering overbooking"},
    {"network.nodes", "numnodes hosts endpoints terminals"},
    {"network.sides", "dimensions"},
    // traffic
    {"traffic.packet", "packetsize pktsize packetlength maximumpacketsize mtu"},
    {"units.flit", "flitsize"},
    {"traffic.flow.message", "messagesize msgsize flowsize"},
    {"traffic.flow.load", "injectionrate injection rate intensity"},
    {"traffic.flow.arrivals", "injectionprocess"},
    {"traffic.flow.pattern", "trafficpattern"},
    {"traffic.job", "workload"},
    {"traffic.allocation", "scheduler jobscheduler backfill"},
    {"traffic.job.program", "collective collectives nccl mpi"},
    {"complement", "bitcomp bitcomplement"},
    {"bit-reversal", "bitrev"},
    {"perfect-shuffle", "shuffle bitrotation"},
    {"permutation", "randperm randompermutation"},
    {"neighbour", "neighbor"},
    {"uniform", "random uniformrandom"},
    {"hotspot", "hotspots incast"},
    {"next-group", "baddragon adversarial worstcase"},
    {"matrix", "trafficmatrix"},
    {"poisson", "exponential"},
    {"periodic", "constant cbr"},
    {"on-off", "burst bursty"},
    {"saturated", "backlogged"},
    {"all-to-all", "alltoall alltoallv a2a"},
    {"all-reduce", "allreduce sharp nvls collnet innetwork"},
    {"all-gather", "allgather"},
    {"reduce-scatter", "reducescatter"},
    {"request-reply", "rpc"},
    {"halo", "stencil"},
    // measuring
    {"measure.warmup", "warmupcycles warmuptime warmupperiods"},
    {"observe.keep", "snapshot snapshots"},
    {"observe.waiting", "photograph"},
    {"measure.duration", "measured measurecycles sampleperiod simtime simulationtime time cycles end"},
    {"seed", "randomseed"},
    {"seeds", "simcount repetitions runs"},
    // results
    {"accepted_load", "throughput accepted acceptedrate"},
    {"saturation_load", "saturationthroughput saturation"},
    {"latency_mean_ns", "latency delay averagelatency packetlatency plat"},
    {"network_latency_mean_ns", "networklatency nlat"},
    {"latency_p99_ns", "taillatency p99"},
    {"latency_p50_ns", "p50 median"},
    {"latency_p999_ns", "p999"},
    {"latency_max_ns", "maxlatency"},
    {"hops_mean", "hops hopcount"},
    {"link_utilisation_mean", "utilization"},
    {"completion_mean_ns", "fct flowcompletiontime"},
    {"makespan_ns", "jct runtime"},
    {"bus_bandwidth_gb_per_s", "busbw"},
    {"jain_index", "fairness jain"},
    {"hol_blocking_ns", "hol holblocking headoflineblocking"},
    {"wait_room_ns", "xmitwait"},
    {"bisection_links", "bisection"},
    {"packets_lost", "drops dropped"},
    {"event", "flap flapping linkflap outage linkdown linkfailure downlink failover"},
    {"routing.choose_per", "flowlet flowlets letflow dlb granularity"},
    {"routing.flowlet_gap", "inactivityinterval flowlettimeout flowletaging"},
    {"routing.flow_table", "flowsettable flowset"},
    {"routing.paths", "entropy qps queuepairs multipath subflows"},
    {"routing.reroute_after", "reroute reconvergence convergence fastfailover"},
    {"out_of_order_packets", "reordering"},
    {"remedies", "counterfactual ablation cause symptom bound"},
    {"what_if.stagger", "placebo"},
};

std::string plain(std::string_view word) {
  std::string result;
  for (const char c : word)
    if (c != '-' && c != '_' && c != ' ') result += in_small_letters(c);
  return result;
}

}  // namespace

std::span<const OtherNames> other_names() { return kOtherNames; }

std::vector<std::string_view> called_here(std::string_view word) {
  const std::string wanted = ' ' + plain(word) + ' ';
  std::vector<std::string_view> ours;
  for (const OtherNames& row : kOtherNames)
    if (fmt::format(" {} ", row.others).find(wanted) != std::string::npos) ours.push_back(row.ours);
  return ours;
}

}  // namespace headway
