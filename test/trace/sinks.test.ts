import { execFileSync } from "node:child_process";
import { link, mkdir, mkdtemp, readdir, readFile, rm, rmdir, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createFsArchive } from "../../src/archive/archives.ts";
import type { CompactError } from "../../src/errors.ts";
import { createCallbackSink } from "../../src/trace/callback-sink.ts";
import { createConsoleSink } from "../../src/trace/console-sink.ts";
import { createJsonlSink } from "../../src/trace/jsonl-sink.ts";
import { packEvents } from "../../src/trace/pack-events.ts";
import type { ClosableSink } from "../../src/trace/trace-sink.ts";
import { verifies } from "../requirements/verifies.ts";
import { sinkContract, warning } from "./sink-contract.ts";

const UNRUN = fileURLToPath(new URL("../../node_modules/unrun/dist/cli.mjs", import.meta.url));
const OVERFULL = fileURLToPath(new URL("overfull.ts", import.meta.url));

const fail = () => {
  throw new Error("broken");
};
const folder = () => mkdtemp(join(tmpdir(), "trace-"));
const readLines = async (file: string): Promise<unknown[]> => {
  const lines = (await readFile(file, "utf8")).split("\n");
  expect(lines.pop()).toBe("");
  return lines.map((line) => JSON.parse(line) as unknown);
};

/** Of a session's folder, packed or not. */
const readAll = async (place: string): Promise<unknown[]> => {
  const events: unknown[] = [];
  for (const name of (await readdir(place)).filter((one) => one.startsWith("events")).sort()) {
    const bytes = await readFile(join(place, name));
    const lines = (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString().trimEnd().split("\n");
    events.push(...lines.map((line) => JSON.parse(line) as unknown));
  }
  return events;
};

sinkContract("console", {
  open: async () => {
    const lines: string[] = [];
    const read = async () => lines.map((line) => JSON.parse(line.slice("[compact] ".length)) as unknown);
    return { sink: createConsoleSink({ write: (line) => lines.push(line) }), read };
  },
  broken: {
    "a stream that throws, then takes lines again": async () => {
      let write: (line: string) => void = fail;
      const repair = async () => {
        const lines: string[] = [];
        write = (line) => void lines.push(line);
        return async () => lines.map((line) => JSON.parse(line.slice("[compact] ".length)) as unknown);
      };
      return { sink: createConsoleSink({ write: (line) => write(line) }), repair };
    },
  },
});

sinkContract("callback", {
  open: async () => {
    const events: unknown[] = [];
    return { sink: createCallbackSink((event) => events.push(event)), read: async () => events };
  },
  broken: {
    "a function that throws, then does not": async () => {
      let call: (event: unknown) => unknown = fail;
      const repair = async () => {
        const events: unknown[] = [];
        call = (event) => events.push(event);
        return async () => events;
      };
      return { sink: createCallbackSink((event) => call(event)), repair };
    },
    "a promise that rejects": async () => ({ sink: createCallbackSink(() => Promise.reject(new Error("late"))) }),
    "a promise that never settles": async () => ({ sink: createCallbackSink(() => new Promise(() => {})) }),
    "a thenable that throws": async () => ({
      // biome-ignore lint/suspicious/noThenProperty: what a function of the user's may return.
      sink: createCallbackSink(() => ({ then: fail })),
    }),
  },
});

sinkContract("jsonl", {
  open: async () => {
    const path = await folder();
    return { sink: createJsonlSink({ path }), read: () => readLines(join(path, "s", "events.jsonl")) };
  },
  broken: {
    "a file in place of the folder, then gone": async () => {
      const path = join(await folder(), "file");
      await writeFile(path, "");
      const repair = async () => {
        await rm(path);
        return () => readLines(join(path, "s", "events.jsonl"));
      };
      return { sink: createJsonlSink({ path, onError: fail }), repair };
    },
    "a folder in place of the file": async () => {
      const path = await folder();
      await createFsArchive({ path }).saveTranscript("s", 1, []);
      await mkdir(join(path, "s", "events.jsonl"));
      const repair = async () => {
        await rmdir(join(path, "s", "events.jsonl"));
        return () => readLines(join(path, "s", "events.jsonl"));
      };
      return { sink: createJsonlSink({ path }), repair };
    },
  },
  openFull: async (queueLimit) => {
    const path = await folder();
    const sink = createJsonlSink({ path, queueLimit });
    const read = async () => {
      await sink.flush();
      return readLines(join(path, "s", "events.jsonl"));
    };
    return { sink, read };
  },
});

describe("createConsoleSink", () => {
  it("prints one prefixed line per event", () => {
    const lines: string[] = [];
    createConsoleSink({ write: (line) => lines.push(line) }).emit(warning("x"));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]?.replace(/^\[compact\] /, "") ?? "")).toEqual(warning("x"));
    expect(lines[0]).not.toMatch(/[\n\u2028]/);
  });
});

describe("createCallbackSink", () => {
  it("counts what throws and what rejects, and waits for promises", async () => {
    let calls = 0;
    const sink = createCallbackSink(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      calls++;
      throw new Error("late");
    });
    sink.emit(warning("a"));
    sink.emit(warning("b"));
    await sink.flush();
    expect([calls, sink.failures]).toEqual([2, 2]);
  });
});

describe("createJsonlSink", () => {
  it("keeps sessions in folders of their own, beside the archive's files", async () => {
    verifies("rulings/event-log", "conversation/filesystem-archive");
    const path = await folder();
    const sink = createJsonlSink({ path });
    for (let n = 0; n < 20; n++) sink.emit(warning(`c${n}`, n % 2 === 0 ? "even" : "../../odd"));
    await sink.flush();
    const folders = await readdir(path);
    expect(folders).toHaveLength(2);
    for (const name of folders) expect(await readLines(join(path, name, "events.jsonl"))).toHaveLength(10);
    const archive = createFsArchive({ path });
    expect(await archive.nextStep("even")).toBe(1);
    expect(await archive.sessions()).toEqual([]);
    if (process.platform !== "win32") {
      expect((await stat(join(path, "even", "events.jsonl"))).mode & 0o777).toBe(0o600);
    }
  });

  it("goes on in an existing file, behind a line that a crash tore", async () => {
    const path = await folder();
    const first = createJsonlSink({ path });
    first.emit(warning("one"));
    await first.flush();
    const file = join(path, "s", "events.jsonl");
    await writeFile(file, `${await readFile(file, "utf8")}{"torn`);
    const second = createJsonlSink({ path });
    second.emit(warning("two"));
    await second.flush();
    const lines = (await readFile(file, "utf8")).split("\n");
    expect(lines).toEqual([JSON.stringify(warning("one")), '{"torn', JSON.stringify(warning("two")), ""]);
  });

  it("packs what is older, and loses none wherever it was stopped or by whom", async () => {
    const path = await folder();
    const place = join(path, "s");
    const emitted: string[] = [];
    const emit = async (count: number, sinks: readonly ClosableSink[]) => {
      for (let n = 0; n < count; n++) {
        const code = `${emitted.length} ${"x".repeat(2000)}`;
        emitted.push(code);
        sinks[n % sinks.length]?.emit(warning(code));
        if (n % 3 === 0) await Promise.all(sinks.map((sink) => sink.flush()));
      }
      await Promise.all(sinks.map((sink) => sink.flush()));
    };
    const sinks = [createJsonlSink({ path }), createJsonlSink({ path })];
    await emit(300, sinks);
    expect((await stat(join(place, "events.jsonl"))).size).toBeLessThan(140_000);
    expect((await readdir(place)).filter((name) => name.endsWith(".jsonl.gz")).length).toBeGreaterThan(3);
    const codes = async () => (await readAll(place)).map((event) => (event as { code: string }).code);
    expect(new Set(await codes())).toEqual(new Set(emitted));
    // Stopped with both names on one file, then with the packed file there.
    for (const isPacked of [false, true]) {
      await emit(65, sinks);
      await link(join(place, "events.jsonl"), join(place, "events-taken.jsonl"));
      if (isPacked) {
        await packEvents(place, "events.jsonl");
        const newest =
          (await readdir(place))
            .filter((name) => name.endsWith(".jsonl.gz"))
            .sort()
            .at(-1) ?? "";
        await writeFile(join(place, "events-taken.jsonl"), gunzipSync(await readFile(join(place, newest))));
      }
      await emit(70, sinks);
      const found = await codes();
      expect(found.length).toBe(new Set(found).size);
      expect(found.toSorted()).toEqual(emitted.toSorted());
    }
  });

  it("bounds what waits by its size, too, and keeps the newest", async () => {
    const path = await folder();
    const sink = createJsonlSink({ path });
    const big = "x".repeat(1_000_000);
    for (let n = 0; n < 20; n++) sink.emit(warning(`${n} ${big}`));
    await sink.flush();
    const codes = (await readLines(join(path, "s", "events.jsonl"))).map((event) => (event as { code: string }).code);
    expect(codes.map((code) => Number(code.split(" ")[0]))).toEqual(
      Array.from({ length: codes.length }, (_, n) => 20 - codes.length + n),
    );
    expect(codes.length).toBeLessThan(9);
    expect(sink.dropped).toBe(20 - codes.length);
  });

  it("reports a failing folder once, with its path", async () => {
    const path = join(await folder(), "file");
    await writeFile(path, "");
    const errors: CompactError[] = [];
    const sink = createJsonlSink({ path, onError: (error) => errors.push(error) });
    for (let n = 0; n < 5; n++) {
      sink.emit(warning(`c${n}`));
      await sink.flush();
    }
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ kind: "ArchiveFailed", message: expect.stringContaining(path) });
    expect(sink.dropped).toBe(5);
  });

  it.skipIf(process.platform === "win32")("writes through no link, and survives it", async () => {
    const path = await folder();
    const sink = createJsonlSink({ path, onError: (error) => errors.push(error) });
    const errors: CompactError[] = [];
    await createFsArchive({ path }).saveTranscript("s", 1, []);
    await symlink(join(await folder(), "elsewhere"), join(path, "s", "events.jsonl"));
    sink.emit(warning("lost"));
    await sink.flush();
    expect(errors[0]?.hint).toContain("A link");
    expect(sink.dropped).toBe(1);
  });

  it.skipIf(process.platform === "win32")(
    "survives a disk that takes no more, and says why",
    async () => {
      const path = await folder();
      const output = execFileSync("sh", [
        "-c",
        'ulimit -f 4096; exec "$@"',
        "sh",
        process.execPath,
        UNRUN,
        OVERFULL,
        path,
      ]);
      const { dropped, told } = JSON.parse(output.toString()) as { dropped: number; told: readonly CompactError[] };
      expect(dropped).toBeGreaterThan(0);
      expect(told).toEqual([
        {
          kind: "ArchiveFailed",
          message: expect.stringContaining("(EFBIG)"),
          hint: expect.stringContaining("larger than"),
        },
      ]);
      expect(await readFile(join(path, "s", "events.jsonl"), "utf8")).toContain('"0 xxx');
    },
    30_000,
  );
});
