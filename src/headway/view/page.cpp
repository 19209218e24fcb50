// SPDX-License-Identifier: Apache-2.0
#include "headway/view/page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "headway/base/deflate.h"
#include "headway/base/version.h"
#include "headway/observe/snapshots.h"
#include "headway/view/bundle.h"
#include "headway/view/page_data.h"

namespace headway {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t three = 0;
    for (std::size_t i = 0; i < 3; ++i)
      three = three << 8 | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i)
      text += at + i > bytes.size() ? '=' : kDigits[three >> (18 - 6 * i) & 63U];
  }
  return text;
}

std::string compressed(std::string_view text) {
  Deflate stream;
  std::string bytes;
  stream.add(text, bytes);
  stream.finish(bytes);
  return bytes;
}

std::string block(std::string_view id, std::string_view bytes) {
  return fmt::format("<script type=\"application/octet-stream\" id=\"{}\">{}</script>\n", id, base64(bytes));
}

std::string json_block(std::string_view id, const Json& json) { return block(id, compressed(json.dump())); }

std::string hash_source(std::string_view hexadecimal) {
  std::string bytes;
  for (std::size_t at = 0; at < hexadecimal.size(); at += 2)
    bytes += static_cast<char>(std::stoi(std::string(hexadecimal.substr(at, 2)), nullptr, 16));
  return fmt::format("'sha256-{}'", base64(bytes));
}

std::string policy() {
  return fmt::format(
      "default-src 'none'; script-src {}; style-src {}; img-src data: blob:; base-uri 'none'; form-action "
      "'none'",
      hash_source(bundle::kScriptHash), hash_source(bundle::kStyleHash));
}

void check_network(std::string_view snapshots, const Graph& graph) {
  const SnapshotReader reader(snapshots);
  const SnapshotHeader& header = reader.header();
  if (header.nodes != graph.nodes() || header.graph_ports != graph.ports())
    throw BadSnapshots(
        fmt::format("the snapshots are of a network with {} nodes and {} ports, and the spec's has {} and {}",
                    header.nodes, header.graph_ports, graph.nodes(), graph.ports()));
}

// Every k-th snapshot of a file, so that the size is within the limit of a page.
struct Thinned {
  std::string file;
  std::size_t every = 1;
};
Thinned thinned(const std::string& file, std::size_t most) {
  Thinned kept{file, 1};
  while (kept.file.size() > most) {
    kept.every = std::max(kept.every + 1, kept.every * kept.file.size() / most);
    std::string fewer = every_kth(file, kept.every);
    if (kept.every > file.size() || fewer.size() == kept.file.size()) break;  // a single one is too large
    kept.file = std::move(fewer);
  }
  return kept;
}

}  // namespace

std::string view_page(const Graph& graph, std::span<const ViewedRun> runs, std::size_t most_snapshot_bytes) {
  std::string data = json_block("network", network_data(graph)) + json_block("metrics", metric_data());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    check_network(runs[i].snapshots, graph);
    const Thinned snapshots = thinned(runs[i].snapshots, most_snapshot_bytes);
    data += json_block(fmt::format("run-{}", i), run_data(runs[i], snapshots.every));
    data += block(fmt::format("snapshots-{}", i), snapshots.file);
  }
  std::string page(bundle::kTemplate);
  const auto fill = [&](std::string_view mark, std::string_view text) {
    page.replace(page.find(mark), mark.size(), text);
  };
  fill("@policy@", policy());
  fill("@version@", version());
  fill("@style@", bundle::kStyle);
  fill("@data@", data);
  fill("@script@", fmt::format("{}", fmt::join(bundle::kScript, "")));
  return page;
}

}  // namespace headway
