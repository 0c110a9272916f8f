// Does one job with the libraries it is given.
import { measureCompacted } from "../measures/compacted.ts";
import { measureFailure } from "../measures/model-failures.ts";
import { measurePlantedRounds } from "../measures/planted-rounds.ts";
import { measureReplay } from "../measures/replay-cost.ts";
import { isOurs, ourPeers } from "../ours.ts";
import type { MissingPeer, Peer } from "../peer.ts";
import type { Answers, Broken, Job } from "./jobs.ts";

export interface Loaded {
  readonly peers: readonly Peer[];
  readonly missing: readonly MissingPeer[];
}

const MOST_WORDS = 160;

/** `beat` is called before each call of a library. Never rejects: what a library throws is its result. */
export async function runJob(job: Job, others: Loaded, beat: () => void): Promise<Answers[Job["kind"]] | Broken> {
  try {
    return await answer(job, others, beat);
  } catch (error) {
    const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return { broken: `threw ${words.slice(0, MOST_WORDS)}` };
  }
}

async function answer(job: Job, { peers, missing }: Loaded, beat: () => void) {
  if (job.kind === "list") return { peers: [...ourPeers(), ...peers].map(cardOf), missing };
  const peer = peerOf(job.peer, peers);
  switch (job.kind) {
    case "compact":
      return measureCompacted(peer, job.session, job.share, beat, job.runs);
    case "replay":
      return measureReplay(peer, job.session, job.share, beat);
    case "planted":
      return measurePlantedRounds(peer, job.task, job.share, beat);
    case "failure":
      beat();
      return measureFailure(peer, job.session, job.share, job.fault, job.keptWithGoodModel);
  }
}

function peerOf(name: string, others: readonly Peer[]): Peer {
  const peer = (isOurs(name) ? ourPeers() : others).find((one) => one.name === name);
  if (peer === undefined) throw new Error(`No library ${name}`);
  return peer;
}

function cardOf({ name, version, settings, usesModel, habit }: Peer) {
  return { name, version, settings, usesModel, habit };
}
