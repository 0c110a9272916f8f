// Has jobs done in a worker, and ends the worker that hangs: a call of a library has two minutes, a whole replay five.
import { Worker } from "node:worker_threads";
import { type Answer, type Answers, type Broken, type Job, TIMED_OUT, type Told } from "./jobs.ts";

const CALL_MS = 120_000;
const REPLAY_MS = 120_000;
const MEGABYTES = 6_000;

export interface Crew {
  run<Kind extends Job["kind"]>(job: Job & { readonly kind: Kind }): Promise<Answer<Kind>>;
  close(): Promise<void>;
}

export function createCrew(): Crew {
  let worker: Worker | undefined;
  const hire = () => {
    worker ??= new Worker(new URL("./worker.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
      stdout: true,
    });
    return worker;
  };
  const end = async () => {
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  };
  const run = async (job: Job): Promise<Answers[Job["kind"]] | Broken> => {
    const answer = await ask(hire(), job);
    if (answer !== undefined) return answer as Answers[Job["kind"]] | Broken;
    await end();
    return TIMED_OUT;
  };
  return { run: run as Crew["run"], close: end };
}

/** Undefined when the time is over. */
function ask(worker: Worker, job: Job): Promise<object | undefined> {
  return new Promise((resolve) => {
    const done = (answer: object | undefined) => {
      clearTimeout(calling);
      clearTimeout(replaying);
      worker.off("message", hear);
      worker.off("error", fail);
      resolve(answer);
    };
    const hear = (told: Told) => {
      if ("answer" in told) done(told.answer);
      else calling.refresh();
    };
    const fail = () => done(undefined);
    const calling = setTimeout(() => done(undefined), CALL_MS);
    const replaying = setTimeout(() => done(undefined), REPLAY_MS);
    worker.on("message", hear);
    worker.on("error", fail);
    worker.postMessage(job);
  });
}
