// What every sink that posts does when the other end fails, run on each of them against its own fake server.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { PostingOptions } from "../../../src/trace/posting-queue.ts";
import type { ClosableSink } from "../../../src/trace/trace-sink.ts";
import type { FaultyServer } from "./faults.ts";
import { emitAll, warning } from "./sample-events.ts";

export interface FakeServer extends FaultyServer {
  readonly posts: readonly { readonly status: number }[];
}

export interface PostingSuite<Server extends FakeServer> {
  readonly label: "Ariadne" | "OTLP";
  start(): Promise<Server>;
  open(options: PostingOptions): ClosableSink;
  /** The codes of the warnings that the server has taken. */
  codesAt(server: Server): readonly unknown[];
}

/** A machine under load is late, but not by this much: the limit is 2,000 ms. */
const LIMIT_MS = 2_400;
const codes = (count: number) => Array.from({ length: count }, (_, n) => `c${n}`);
const warnings = (count: number) => codes(count).map((code) => warning(code));

export function postingSuite<Server extends FakeServer>(suite: PostingSuite<Server>): void {
  describe(`posting to ${suite.label} that fails`, () => {
    let server: Server;
    let lines: string[];
    const open = (options: Partial<PostingOptions> = {}, own = lines) =>
      suite.open({ url: server.url, write: (line) => own.push(line), ...options });
    const timed = async (work: () => Promise<void>) => {
      const startedAt = performance.now();
      await work();
      return performance.now() - startedAt;
    };
    const expectLines = (...patterns: RegExp[]) => {
      expect(lines.length, lines.join("\n")).toBe(patterns.length);
      for (const [at, pattern] of patterns.entries()) expect(lines[at]).toMatch(pattern);
      for (const line of lines) expect(line.startsWith(`[${suite.label}] `)).toBe(true);
    };

    beforeEach(async () => {
      server = await suite.start();
      lines = [];
    });
    afterEach(() => server.close());

    it("delivers everything, in the background too, and says nothing", async () => {
      const sink = open();
      for (const event of warnings(1_200)) sink.emit(event);
      // Nobody flushes.
      await expect.poll(() => suite.codesAt(server).length, { timeout: 20_000 }).toBe(1_200);
      expect(new Set(suite.codesAt(server))).toEqual(new Set(codes(1_200)));
      await sink.shutdown();
      expect([sink.dropped, lines]).toEqual([0, []]);
    });

    it("gives a black hole up within the limit, whatever waits, and waits no second time", async () => {
      server.behave({ isBlackHole: true });
      const sink = open();
      for (const event of warnings(5_000)) sink.emit(event);
      expect(await timed(() => sink.flush())).toBeLessThan(LIMIT_MS);
      expect(sink.dropped).toBe(5_000);
      sink.emit(warning("after"));
      expect(await timed(() => sink.flush())).toBeLessThan(LIMIT_MS / 4);
      expect(await timed(() => sink.shutdown())).toBeLessThan(LIMIT_MS / 4);
      expect(sink.dropped).toBe(5_001);
      expectLines(/no answer in time: it is slow, or nothing/);
    });

    it("shuts down within the limit when the other end hangs after it worked", async () => {
      const sink = open();
      await emitAll(sink, warnings(1));
      server.behave({ isBlackHole: true });
      for (const event of warnings(3_000)) sink.emit(event);
      expect(await timed(() => sink.shutdown())).toBeLessThan(LIMIT_MS);
      sink.emit(warning("too late"));
      await sink.shutdown();
      expect(sink.dropped).toBe(3_001);
    });

    it("takes a shorter limit, but no longer one", async () => {
      server.behave({ isBlackHole: true });
      const impatient = open({ timeoutMs: 100 });
      impatient.emit(warning("a"));
      expect(await timed(() => impatient.flush())).toBeLessThan(LIMIT_MS / 2);
      const patient = open({ timeoutMs: 60_000 });
      patient.emit(warning("a"));
      expect(await timed(() => patient.flush())).toBeLessThan(LIMIT_MS);
    });

    it("gives up soon where nobody listens, and tells it in one line", async () => {
      await server.close();
      const sink = open();
      for (let count = 0; count < 5; count++) await emitAll(sink, warnings(1));
      expect(sink.dropped).toBe(5);
      expectLines(/takes no traces: ECONNREFUSED\. Check/);
    });

    it("posts again once after 500 and after 429", async () => {
      for (const status of [500, 503, 429]) {
        server.behave({ status, times: 1 });
        const sink = open();
        await emitAll(sink, warnings(3));
        expect(sink.dropped).toBe(0);
      }
      expect([suite.codesAt(server).length, lines]).toEqual([9, []]);
    });

    it("drops what fails twice, with one line for many, and one when it works again", async () => {
      server.behave({ status: 500 });
      const sink = open();
      for (let count = 0; count < 3; count++) await emitAll(sink, warnings(2));
      server.behave({});
      await emitAll(sink, warnings(1));
      expect(suite.codesAt(server)).toEqual(["c0"]);
      expect(sink.dropped).toBe(6);
      expectLines(/takes no traces: status 500/, /takes traces again; 6 events lost so far/);
      server.behave({ status: 401 });
      await emitAll(sink, warnings(1));
      expect(lines).toHaveLength(3);
    });

    it("halves what is too large, down to one", async () => {
      server.behave({ status: 413, times: 3 });
      const sink = open();
      await emitAll(sink, warnings(8));
      expect(new Set(suite.codesAt(server))).toEqual(new Set(codes(8)));
      expect([sink.dropped, lines]).toEqual([0, []]);
      server.behave({ status: 413 });
      await emitAll(sink, warnings(3));
      expect(sink.dropped).toBe(3);
      // All of them: it is the endpoint, which is left alone for a while.
      expectLines(/takes no traces: status 413/);
    });

    it("does not follow a redirect", async () => {
      const other = await suite.start();
      server.behave({ status: 307, headers: { location: other.url } });
      const sink = open();
      await emitAll(sink, warnings(2));
      expect([other.posts.length, sink.dropped]).toEqual([0, 2]);
      expectLines(/status 307, and redirects are not followed/);
      await other.close();
    });

    it("lets the oldest go when the queue is full, and says so", async () => {
      const sink = open({ queueLimit: 10 });
      await emitAll(sink, warnings(25));
      expect(new Set(suite.codesAt(server))).toEqual(new Set(codes(25).slice(15)));
      expect(sink.dropped).toBe(15);
      expectLines(/more events than the queue holds/);
    });

    it("bounds what it holds in bytes", () => {
      server.behave({ isBlackHole: true });
      const sink = open({ write: () => {} });
      for (let count = 0; count < 100; count++) sink.emit(warning("c", { message: "x".repeat(1_000_000) }));
      expect(sink.dropped).toBeGreaterThanOrEqual(90);
    });

    it("waits for a slow server in the background and loses nothing", async () => {
      server.behave({ delayMs: 300 });
      const sink = open();
      await emitAll(sink, warnings(20));
      expect([suite.codesAt(server).length, sink.dropped, lines]).toEqual([20, 0, []]);
    });

    it("survives a fetch, a log and an event that throw", async () => {
      const real = globalThis.fetch;
      globalThis.fetch = () => {
        throw new Error("synchronous");
      };
      const sink = open({
        write: () => {
          throw new Error("closed");
        },
      });
      try {
        await emitAll(sink, warnings(2));
        expect(sink.dropped).toBe(2);
      } finally {
        globalThis.fetch = real;
      }
      await emitAll(sink, [warning("bad", { payload: 1n, at: "soon" }), warning("good")]);
      expect([suite.codesAt(server), sink.dropped]).toEqual([["good"], 3]);
    });

    it("says at once what address it does not take, without showing it", () => {
      for (const url of ["ftp://h", "localhost:4318", "", "http://user:hunter2@h/", 5 as unknown as string]) {
        expect(() => suite.open({ url })).toThrow(expect.objectContaining({ code: "INVALID_URL" }));
        expect(() => suite.open({ url })).not.toThrow(/hunter2/);
      }
    });

    it("keeps a query for the server and out of its lines", async () => {
      server.behave({ status: 500 });
      const sink = open({ url: `${server.url}/?key=hunter2` });
      await emitAll(sink, warnings(1));
      expect(lines.join()).toMatch(/status 500/);
      expect(lines.join()).not.toContain("hunter2");
    });
  });
}
