// A program's end neither waits for a trace server nor loses what it waited for.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { verifies } from "../../requirements/verifies.ts";
import { type Collector, startCollector } from "../collector/collector.ts";
import { startViewer, type Viewer } from "../viewer/viewer.ts";

const RUN = fileURLToPath(new URL("../../../node_modules/.bin/unrun", import.meta.url));
const PROGRAM = fileURLToPath(new URL("./leaving.ts", import.meta.url));
/** Of 2,000, on a machine that has other work too. */
const LIMIT_MS = 3_500;

interface Ended {
  readonly code: number | null;
  /** Since it had emitted. */
  readonly took: number;
  readonly errors: string;
}

function run(url: string, sink: string, how: string): Promise<Ended> {
  const child = spawn(process.execPath, [RUN, PROGRAM, url, sink, how], { stdio: ["ignore", "pipe", "pipe"] });
  let emittedAt = Number.NaN;
  let errors = "";
  child.stdout.on("data", () => {
    emittedAt = performance.now();
  });
  child.stderr.on("data", (chunk) => {
    errors += String(chunk);
  });
  return new Promise((resolve) => {
    child.on("close", (code) => resolve({ code, took: performance.now() - emittedAt, errors }));
  });
}

describe("the end of a program that traces", () => {
  let viewer: Viewer;
  let collector: Collector;
  beforeEach(async () => {
    [viewer, collector] = await Promise.all([startViewer(), startCollector()]);
  });
  afterEach(() => Promise.all([viewer.close(), collector.close()]));

  it("does not come before what was flushed has arrived", async () => {
    verifies("field/exporter-hurts-the-loop", "conversation/export-never-blocks");
    for (const how of ["flush", "exit"]) {
      const [seen, collected] = [viewer.spans.length, collector.spans.length];
      const ended = await Promise.all([run(viewer.url, "ariadne", how), run(collector.url, "otlp", how)]);
      expect(ended.map(({ code, errors }) => [code, errors])).toEqual([
        [0, ""],
        [0, ""],
      ]);
      expect([viewer.spans.length - seen, collector.spans.length - collected]).toEqual([200, 200]);
    }
  }, 120_000);

  it("is not held up by a server that hangs, and nothing is thrown", async () => {
    verifies("field/exporter-hurts-the-loop", "conversation/export-never-blocks");
    for (const server of [viewer, collector]) server.behave({ isBlackHole: true });
    for (const how of ["nothing", "posting", "exit"]) {
      const ended = await Promise.all([run(viewer.url, "ariadne", how), run(collector.url, "otlp", how)]);
      for (const { code, took, errors } of ended) {
        expect(code).toBe(0);
        expect(took).toBeLessThan(LIMIT_MS);
        // Nothing is said where it ended before anything was sent.
        if (how !== "nothing" || errors !== "") expect(errors).toMatch(/^\[(?:Ariadne|OTLP)\] [^\n]{1,300}\n$/);
      }
    }
  }, 180_000);

  it("is not held up by a server that refuses or fails", async () => {
    verifies("field/exporter-hurts-the-loop");
    collector.behave({ status: 500 });
    await viewer.close();
    const ended = await Promise.all([run(viewer.url, "ariadne", "shutdown"), run(collector.url, "otlp", "shutdown")]);
    for (const { code, took, errors } of ended) {
      expect([code, took < LIMIT_MS]).toEqual([0, true]);
      expect(errors).toMatch(/^\[(?:Ariadne|OTLP)\] [^\n]{1,300}\n$/);
    }
  }, 120_000);
});
