// SPDX-License-Identifier: Apache-2.0
import { App } from "./app";
import { BadPage, readPage } from "./data";
import { h, replace } from "./dom";
import { Network } from "./network";
import { Run } from "./run";
import { Snapshots } from "./snapshots";

async function start(): Promise<void> {
  const page = await readPage();
  const network = new Network(page.network);
  const runs: Run[] = [];
  for (let i = 0; i < page.runs.length; ++i)
    runs.push(new Run(page.runs[i], network, await Snapshots.read(page.files[i])));
  const app = new App(network, runs, page.metrics);
  replace(document.getElementById("app")!, app.element);
  app.begin();
  document.body.dataset["ready"] = "yes";
}

start().catch((error: unknown) => {
  const reason = error instanceof BadPage ? error.message
    : `Internal error: ${error instanceof Error ? error.message : String(error)}`;
  replace(document.getElementById("app")!, h("h1", {}, "This page cannot be shown"), h("p", { role: "alert" }, reason));
  document.body.dataset["ready"] = "failed";
});
