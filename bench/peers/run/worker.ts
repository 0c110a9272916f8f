// The side of a worker: loads the libraries once, then does one job after the other.
import { parentPort } from "node:worker_threads";
import type { Job, Told } from "./jobs.ts";
import { type Loaded, runJob } from "./run-job.ts";

const port = parentPort;
if (port === null) throw new Error("This file is a worker's.");
const { loadPeers } = (await import("../peers/all-peers.ts")) as { loadPeers: () => Promise<Loaded> };
const others = await loadPeers();
port.on("message", async (job: Job) => {
  const tell = (told: Told) => port.postMessage(told);
  tell({ answer: await runJob(job, others, () => tell({ beat: true })) });
});
