// SPDX-License-Identifier: Apache-2.0
// The layout of networks without a known structure: switches in rows by their distance from the nodes, which
// are below their switches. In a row they are ordered by the mean position of their neighbours (Sugiyama,
// Tagawa and Toda, 1981), so that fewer links cross. If all switches have nodes, the distance is that from
// switch 0.
#include <algorithm>
#include <cstddef>
#include <numeric>

#include "headway/view/layout.h"

namespace headway {
namespace {

constexpr int kSweeps = 8;  // sorting passes, up and down in turn; further passes hardly change the order

class Layered {
 public:
  explicit Layered(const Graph& graph) : graph_(graph), nodes_of_(graph.switches()) {
    for (NodeId node = 0; node < graph.nodes(); ++node)
      nodes_of_[switch_at(graph.node_port(node))].push_back(node);
  }

  NetworkLayout make() {
    find_layers();
    order();
    NetworkLayout layout;
    layout.stretch = PulledApart::y;
    place(layout);
    return layout;
  }

 private:
  // The switch that a node sends to or receives from.
  SwitchId switch_at(PortId node_port) const {
    const PortId peer = neighbour(node_port);
    return peer == kNone || graph_.is_node_port(peer) ? 0 : graph_.switch_of(peer);
  }
  PortId neighbour(PortId port) const {
    return graph_.peer_of(port) != kNone ? graph_.peer_of(port) : graph_.source_of(port);
  }

  template <class Visit>
  void for_neighbours(SwitchId sw, Visit visit) const {
    for (std::uint32_t local = 0; local < graph_.radix(sw); ++local) {
      const PortId peer = neighbour(graph_.port(sw, local));
      if (peer != kNone && !graph_.is_node_port(peer)) visit(graph_.switch_of(peer));
    }
  }

  void find_layers() {
    std::vector<SwitchId> seeds;
    for (SwitchId sw = 0; sw < graph_.switches(); ++sw)
      if (!nodes_of_[sw].empty()) seeds.push_back(sw);
    if (seeds.size() == graph_.switches() || seeds.empty()) seeds = {0};
    layer_.assign(graph_.switches(), kNone);
    spread(std::move(seeds));
    for (SwitchId sw = 0; sw < graph_.switches(); ++sw)  // disconnected parts
      if (layer_[sw] == kNone) spread({sw});
    rows_.resize(1 + *std::ranges::max_element(layer_));
    for (SwitchId sw = 0; sw < graph_.switches(); ++sw) rows_[layer_[sw]].push_back(sw);
  }

  void spread(std::vector<SwitchId> front) {
    for (const SwitchId sw : front) layer_[sw] = 0;
    for (std::uint32_t layer = 1; !front.empty(); ++layer) {
      std::vector<SwitchId> next;
      for (const SwitchId sw : front)
        for_neighbours(sw, [&](SwitchId other) {
          if (layer_[other] != kNone) return;
          layer_[other] = layer;
          next.push_back(other);
        });
      front = std::move(next);
    }
  }

  // Positions are fractions of the row, so that rows of different lengths compare.
  void order() {
    position_.assign(graph_.switches(), 0);
    for (const auto& row : rows_) number(row);
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      const bool up = sweep % 2 == 0;
      for (std::size_t i = 1; i < rows_.size(); ++i) {
        const std::size_t row = up ? i : rows_.size() - 1 - i;
        sort(rows_[row], static_cast<std::uint32_t>(up ? row - 1 : row + 1));
      }
    }
  }

  void number(const std::vector<SwitchId>& row) {
    for (std::size_t i = 0; i < row.size(); ++i)
      position_[row[i]] = (static_cast<double>(i) + 0.5) / static_cast<double>(row.size());
  }

  void sort(std::vector<SwitchId>& row, std::uint32_t by_layer) {
    std::vector<double> mean(graph_.switches());
    for (const SwitchId sw : row) {
      double sum = 0;
      int count = 0;
      for_neighbours(sw, [&](SwitchId other) {
        if (layer_[other] != by_layer) return;
        sum += position_[other];
        ++count;
      });
      mean[sw] = count == 0 ? position_[sw] : sum / count;
    }
    std::ranges::stable_sort(row, {}, [&](SwitchId sw) { return mean[sw]; });
    number(row);
  }

  char side_of(SwitchId sw, PortId port) const {
    const PortId peer = neighbour(port);
    if (peer == kNone) return 't';
    if (graph_.is_node_port(peer)) return 'b';
    const SwitchId other = graph_.switch_of(peer);
    if (layer_[other] != layer_[sw]) return layer_[other] > layer_[sw] ? 't' : 'b';
    return position_[other] > position_[sw] ? 'r' : 'l';
  }

  void find_sizes(NetworkLayout& layout) {
    for (SwitchId sw = 0; sw < graph_.switches(); ++sw) {
      std::string sides;
      for (std::uint32_t local = 0; local < graph_.radix(sw); ++local)
        sides += side_of(sw, graph_.port(sw, local));
      const auto cells = [&](char side) { return static_cast<double>(std::ranges::count(sides, side)); };
      layout.switches.push_back(
          {{}, std::max({3.0, cells('t'), cells('b')}), std::max(3.0, 2 + std::max(cells('l'), cells('r')))});
      layout.sides += sides;
    }
  }

  double slot(const NetworkLayout& layout, SwitchId sw) const {
    return std::max(layout.switches[sw].width, static_cast<double>(nodes_of_[sw].size())) + kSpace;
  }

  void place(NetworkLayout& layout) {
    find_sizes(layout);
    layout.nodes.resize(graph_.nodes());
    std::vector<double> widths;
    for (const auto& row : rows_)
      widths.push_back(std::accumulate(row.begin(), row.end(), 0.0,
                                       [&](double sum, SwitchId sw) { return sum + slot(layout, sw); }));
    const double widest = *std::ranges::max_element(widths);
    double y = 0;
    for (std::size_t r = rows_.size(); r-- > 0;) {  // the farthest layer is at the top
      double tallest = 0, x = 0;
      for (const SwitchId sw : rows_[r]) tallest = std::max(tallest, layout.switches[sw].height);
      bool has_nodes = false;
      for (const SwitchId sw : rows_[r]) {
        const double width = slot(layout, sw) * widest / widths[r];
        layout.switches[sw].centre = {x + width / 2, y + tallest / 2};
        x += width;
        const auto here = static_cast<double>(nodes_of_[sw].size());
        for (std::size_t i = 0; i < nodes_of_[sw].size(); ++i)
          layout.nodes[nodes_of_[sw][i]] = {
              layout.switches[sw].centre.x - here / 2 + static_cast<double>(i) + 0.5, y + tallest + kRow};
        has_nodes = has_nodes || here > 0;
      }
      y += tallest + kRow * (has_nodes ? 2 : 1);
    }
  }

  const Graph& graph_;
  std::vector<std::vector<NodeId>> nodes_of_;  // [switch]
  std::vector<std::uint32_t> layer_;           // [switch]
  std::vector<std::vector<SwitchId>> rows_;    // [layer] in their order
  std::vector<double> position_;               // [switch] in its row, from 0 to 1
};

}  // namespace

NetworkLayout layered_layout(const Graph& graph) { return Layered(graph).make(); }

}  // namespace headway
