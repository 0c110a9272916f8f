// Counts what a model is asked and answers, and the processor time that its script takes, which is no library's.
import { createTokenCounter } from "../../../src/tokens.ts";
import { type Cost, NO_COST } from "../../cost/prices.ts";
import { processorTime } from "../measures/processor-time.ts";
import type { PeerModel } from "../peer.ts";

export interface MeteredModel {
  readonly model: PeerModel;
  readonly cost: () => Cost;
  /** Milliseconds. */
  readonly time: () => number;
}

const { count } = createTokenCounter({ encoding: "o200k_base" });

export function meter(asked: PeerModel): MeteredModel {
  let cost = NO_COST;
  let time = 0;
  const model: PeerModel = async (request) => {
    const start = processorTime();
    try {
      const text = await asked(request);
      const input = cost.input + count(request.system) + count(request.prompt);
      cost = { ...cost, calls: cost.calls + 1, input, output: cost.output + count(text) };
      return text;
    } finally {
      time += processorTime() - start;
    }
  };
  return { model, cost: () => cost, time: () => time };
}
