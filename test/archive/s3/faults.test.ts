// What networks and stores do: errors that pass, silence, breaking off, answers that get lost, a server that is not there.
import { afterEach, beforeEach, expect, it } from "vitest";
import { createS3Files, type S3FilesOptions } from "../../../src/archive/s3/s3-files.ts";
import { type CompactEvent, CompactManager, createCallbackSink } from "../../../src/index.ts";
import { turns } from "../../conversation/support.ts";
import { verifies } from "../../requirements/verifies.ts";
import { type Fault, type SeenRequest, type StoreProxy, startProxy } from "./proxy.ts";
import { ENDPOINT, failureOf, keysIn, newBucket, onStore, textOf } from "./store.ts";

const TRANSCRIPT = "transcript-pre-compact-001.jsonl";
const bytes = (text: string) => new TextEncoder().encode(text);
const large = () => new Uint8Array(20 * 1024 * 1024).fill(65);
/** Short, so that a silence does not hold up the suite. */
const SHORT_MS = 1_500;

onStore("faults of a store", () => {
  let bucket = "";
  let proxy: StoreProxy | undefined;
  const open = async (decide: Parameters<typeof startProxy>[0], options: Partial<S3FilesOptions> = {}) => {
    proxy = await startProxy(decide);
    return createS3Files({ bucket, endpoint: proxy.endpoint, ...options });
  };
  beforeEach(async () => {
    bucket = await newBucket();
  });
  afterEach(() => {
    proxy?.close();
    proxy = undefined;
  });

  it.each([
    ["503", { status: 503, code: "SlowDown" }],
    ["500", { status: 500, code: "InternalError" }],
    ["broken connections", "cut"],
  ] as const)("of %s twice are retried, for writing, reading and listing", async (_, fault) => {
    verifies("field/object-store-faults");
    const decide = (_request: SeenRequest, before: readonly SeenRequest[]): Fault =>
      before.length % 3 < 2 ? fault : "forward";
    const files = await open(decide);
    await files.create("s", TRANSCRIPT, bytes("{}\n"), "transcript");
    expect(await files.read("s", TRANSCRIPT)).toEqual(bytes("{}\n"));
    expect((await files.list("s")).map(({ name }) => name)).toEqual([TRANSCRIPT]);
    expect(proxy?.seen).toHaveLength(9);
    expect(await textOf(bucket, `agent-compact/s/${TRANSCRIPT}`)).toBe("{}\n");
  });

  it("that do not pass are told with place and status, and prune nothing", async () => {
    verifies("field/object-store-faults");
    const down = await startProxy(() => ({ status: 503, code: "ServiceUnavailable" }));
    proxy = down;
    const events: CompactEvent[] = [];
    const config = {
      archive: { adapter: "s3", bucket, endpoint: down.endpoint, path: "/dev/null/never" } as const,
      trace: [createCallbackSink((event) => void events.push(event))],
    };
    const messages = turns(20);
    const manager = new CompactManager(config);
    const error = await failureOf(manager.manualCompact("s", messages));
    await manager.flush();
    expect(error).toMatchObject({ kind: "ArchiveFailed", code: "STORE_UNAVAILABLE", data: { status: 503 } });
    expect(error.message).toContain(`s3://${bucket}/agent-compact/s/`);
    expect(messages).toEqual(turns(20));
    expect(events.map(({ event }) => event)).toContain("compact.error");
    expect(events.map(({ event }) => event)).not.toContain("compact.pruned_messages");
    // Where somebody said that the archive may fail, the conversation goes on without it.
    const careless = await new CompactManager({ ...config, archiveOptional: true }).manualCompact("s", messages);
    expect(careless.length).toBeLessThan(messages.length);
  });

  it("that are a silence are given up after the limit, whatever was asked", async () => {
    verifies("field/object-store-faults");
    const files = await open(() => "hang", { timeoutMs: SHORT_MS });
    for (const attempt of [
      () => files.create("s", TRANSCRIPT, bytes("{}"), "transcript"),
      () => files.read("s", TRANSCRIPT),
      () => files.list("s"),
    ]) {
      const error = await failureOf(attempt());
      expect(error).toMatchObject({
        kind: "ArchiveFailed",
        code: "TIMED_OUT",
      });
      expect(error.message).toContain(bucket);
    }
    proxy?.close();
    expect(await keysIn(bucket)).toEqual([]);
  });

  it("that lose the answer to a write do not make the writer's own object a conflict", async () => {
    const files = await open((_, before) => (before.length === 0 ? "lose" : "forward"));
    const place = await files.create("s", TRANSCRIPT, bytes("mine"), "transcript");
    expect(place).toContain(TRANSCRIPT);
    expect(proxy?.seen.map(({ method }) => method)).toEqual(["PUT", "PUT", "HEAD"]);
    expect(await textOf(bucket, `agent-compact/s/${TRANSCRIPT}`)).toBe("mine");
  });

  it.each([
    ["a small one", bytes("x".repeat(100_000))],
    ["a large one", large()],
  ])("that break off in the middle of %s leave nothing to see, and the next attempt works", async (_, content) => {
    verifies("field/object-store-faults");
    let isDown = true;
    const files = await open(({ method }) => {
      if (!isDown) return "forward";
      // Nothing gets through any more once it has broken off, not even the clearing up.
      return method === "PUT" || method === "DELETE" ? "cut" : "forward";
    });
    const error = await failureOf(files.create("s", TRANSCRIPT, content, "transcript"));
    expect(error).toMatchObject({ kind: "ArchiveFailed", code: "STORE_UNREACHABLE" });
    expect(await keysIn(bucket)).toEqual([]);
    expect(await files.read("s", TRANSCRIPT)).toBeUndefined();
    isDown = false;
    await files.create("s", TRANSCRIPT, content, "transcript");
    expect((await files.read("s", TRANSCRIPT))?.length).toBe(content.length);
  });

  it("that break off a download are retried", async () => {
    const plain = createS3Files({ bucket, endpoint: ENDPOINT });
    const content = new Uint8Array(3_000_000).fill(66);
    await plain.create("s", TRANSCRIPT, content, "transcript");
    const files = await open((_, before) => (before.length === 0 ? "half" : "forward"));
    expect((await files.read("s", TRANSCRIPT))?.length).toBe(content.length);
    expect(proxy?.seen).toHaveLength(2);
  });

  it("that are a store without tags cost the kind, but never a tag that was asked for", async () => {
    const decide = ({ headers }: SeenRequest): Fault =>
      headers["x-amz-tagging"] === undefined ? "forward" : { status: 501, code: "NotImplemented" };
    const files = await open(decide);
    await files.create("s", TRANSCRIPT, bytes("{}"), "transcript");
    await files.create("s", "summary-001.json", large(), "summary");
    expect(await keysIn(bucket)).toHaveLength(2);
    // Three attempts of one write: the client takes 501 for something that may pass.
    expect(proxy?.seen.filter(({ headers }) => headers["x-amz-tagging"] !== undefined).length).toBeLessThanOrEqual(3);
    proxy?.close();
    const asked = await open(decide, { tags: { team: "a" } });
    expect(await failureOf(asked.create("t", TRANSCRIPT, bytes("{}"), "transcript"))).toMatchObject({
      code: "NOT_IMPLEMENTED",
    });
  });

  it("that are a server which is not there", async () => {
    const gone = await startProxy(() => "forward");
    gone.close();
    const error = await failureOf(createS3Files({ bucket, endpoint: gone.endpoint }).list("s"));
    expect(error).toMatchObject({
      kind: "ArchiveFailed",
      code: "STORE_UNREACHABLE",
      hint: expect.stringContaining("endpoint"),
    });
  });
});
