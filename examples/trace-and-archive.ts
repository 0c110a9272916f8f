// Runs as spans in a trace viewer: Ariadne where it runs, and a server of our own. A secret that is in no span and no file;
// an archive that gives the rest back, packed, checked and cleared by age. Run it: npx unrun examples/trace-and-archive.ts
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  applyRetention,
  type CompactEvent,
  CompactManager,
  createAriadneSink,
  createFsArchive,
  planRetention,
  type TraceSink,
} from "../src/index.ts";

const file = new URL("transcripts/coding-session.json", import.meta.url);
const { messages } = JSON.parse(readFileSync(file, "utf8")) as { readonly messages: readonly unknown[] };
const secret = ["tern", "1979", "Kestrel"].join("-");
const talk = [messages[0], { role: "user", content: `DB_PASSWORD=${secret}` }, ...messages.slice(1)];

// Stands for Ariadne. It keeps what it is sent.
interface Sent {
  readonly type: string;
  readonly name?: string;
  readonly trace_id: string;
  readonly parent_id?: string;
}
const received: Sent[] = [];
const bodies: string[] = [];
const viewer = createServer((request, response) => {
  let body = "";
  request.on("data", (piece) => {
    body += piece;
  });
  request.on("end", () => {
    bodies.push(body);
    if (request.url === "/ingest") received.push(...(JSON.parse(body) as { readonly batch: readonly Sent[] }).batch);
    response.setHeader("content-type", "application/json").end('{"success":true,"count":1}');
  });
});
await new Promise<void>((resolve) => viewer.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${(viewer.address() as AddressInfo).port}`;

// A sink of one's own: what it gets is redacted already.
const alerts: CompactEvent[] = [];
const alarm: TraceSink = {
  name: "alarm",
  emit(event) {
    if (event.event === "compact.error" && event.fallback !== "retry") alerts.push(event);
  },
  flush: () => Promise.resolve(),
};

const folder = mkdtempSync(join(tmpdir(), "trace-and-archive-"));
try {
  const archive = createFsArchive({ path: folder, compression: "gzip" });
  const ariadne = createAriadneSink({ url });
  const trace = [ariadne, createAriadneSink({ url: "http://127.0.0.1:5175" }), alarm];
  const manager = new CompactManager({ model: "gpt-4o", maxContextTokens: 32_000, archive, trace });
  const first = await manager.preflight("berths", talk);
  const second = await manager.manualCompact("berths", [...first, ...messages.slice(1, 60)]);
  assert.ok(second.length < first.length + 59);
  await manager.close();

  // Two runs, each a trace: one root, the others below it, and one record of the trace itself.
  const spans = received.filter(({ type }) => type === "span");
  const roots = spans.filter(({ parent_id }) => parent_id === undefined);
  assert.deepEqual(roots.map(({ name }) => name).sort(), ["compact.manual", "compact.preflight"]);
  assert.equal(new Set(spans.map(({ trace_id }) => trace_id)).size, 2);
  assert.equal(received.filter(({ type }) => type === "trace").length, 2);
  for (const { trace_id } of roots) {
    const names = spans.filter((span) => span.trace_id === trace_id).map(({ name }) => name);
    for (const name of ["compact.token_estimate", "compact.summary_created", "compact.pruned_messages"])
      assert.ok(names.includes(name), name);
  }
  assert.equal(ariadne.dropped, 0);
  assert.deepEqual(alerts, []);

  // The secret is in the caller's list, and nowhere else.
  assert.ok(JSON.stringify(talk).includes(secret));
  const archived = await archive.readTranscript("berths", 1);
  assert.ok(JSON.stringify(archived).includes("DB_PASSWORD=<REDACTED>"));
  assert.ok(!JSON.stringify([archived, await archive.readSummary("berths", 1)]).includes(secret));
  assert.ok(!bodies.join().includes(secret));
  assert.deepEqual(archived.slice(2), messages.slice(1), "all the rest comes back as it was");
  assert.ok(readdirSync(join(folder, "berths")).includes("transcript-pre-compact-001.jsonl.gz"));

  // In a hundred days, with 90 allowed: the older step leaves, the newest of a session never does.
  const inHundredDays = Date.now() + 100 * 24 * 60 * 60 * 1000;
  const plan = planRetention(await archive.sizes(), { maxAgeDays: 90 }, inHundredDays);
  assert.deepEqual(
    plan.expiring.map(({ step, reason }) => [step, reason]),
    [[1, "age"]],
  );
  const expired: string[] = [];
  const { failed } = await applyRetention(archive, plan, {
    trace: { emit: ({ event, step }) => expired.push(`${event} ${step}`) },
  });
  assert.deepEqual(expired, ["compact.expired 1"]);
  assert.deepEqual(failed, []);
  assert.deepEqual(
    (await archive.steps("berths")).map(({ step }) => step),
    [2],
  );
} finally {
  viewer.close();
  rmSync(folder, { recursive: true, force: true });
}
