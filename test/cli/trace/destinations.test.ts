// Commands whose configuration names a viewer and a collector: what arrives there, and that it changes nothing else.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { verifies } from "../../requirements/verifies.ts";
import { startCollector } from "../../trace/collector/collector.ts";
import { startViewer } from "../../trace/viewer/viewer.ts";
import { call } from "../command-line.ts";
import { COMMANDS, eventsIn, folderWith } from "./folders.ts";

const counted = (names: readonly unknown[]) =>
  Object.fromEntries([...new Set(names)].sort().map((name) => [name, names.filter((each) => each === name).length]));

async function ends() {
  const [viewer, collector] = [await startViewer(), await startCollector()];
  onTestFinished(() => Promise.all([viewer.close(), collector.close()]).then(() => undefined));
  return { viewer, collector, telemetry: { ariadne_url: viewer.url, otlp_url: collector.url } };
}

const prepare = (cwd: string) => call(["observations", "import", "notes.jsonl", "--db", "m.db"], { cwd });

/** Times and what hangs on them differ from run to run. */
const without = (text: string) => text.replace(/\d+ ?ms|\d+\.\d+ ?s\b/g, "TIME").replace(/\s+/g, " ");

describe.each(Object.entries(COMMANDS))("%s", (name, argv) => {
  it("sends the same events to both, before it ends, and prints what it always prints", async () => {
    const { viewer, collector, telemetry } = await ends();
    const [plain, traced] = [folderWith(undefined), folderWith({ ...telemetry, jsonl: true })];
    await prepare(plain);
    await prepare(traced);
    const sentBefore = viewer.spans.length;
    const expected = await call(argv, { cwd: plain });
    const { code, stdout, stderr } = await call(argv, { cwd: traced });
    expect({ code, stdout: without(stdout), stderr: without(stderr) }).toEqual({
      code: 0,
      stdout: without(expected.stdout),
      stderr: without(expected.stderr),
    });
    const events = counted(eventsIn(traced).map(({ event }) => event));
    expect(Object.keys(events)).not.toEqual([]);
    expect(counted(viewer.spans.slice(sentBefore).map(({ name = "" }) => name.replace(/ .*/, "")))).toEqual(events);
    expect(counted(collector.spans.map((span) => span.name))).toEqual(events);
    expect(viewer.posts.every(({ status }) => status === 200)).toBe(true);
    expect(collector.posts.every(({ status }) => status === 200)).toBe(true);
  });

  it("is not changed by a viewer and a collector that cannot be reached, but for a line on stderr", async () => {
    verifies("values/viewer-unreachable", "field/exporter-hurts-the-loop");
    const { viewer, collector, telemetry } = await ends();
    await Promise.all([viewer.close(), collector.close()]);
    const [plain, traced] = [folderWith(undefined), folderWith(telemetry)];
    await prepare(plain);
    await call(["observations", "import", "notes.jsonl", "--db", "m.db"], { cwd: traced });
    const expected = await call(argv, { cwd: plain });
    const { code, stdout, stderr } = await call(argv, { cwd: traced });
    expect({ code, stdout: without(stdout) }).toEqual({ code: expected.code, stdout: without(expected.stdout) });
    const lines = stderr.split("\n").filter((line) => line.startsWith("["));
    expect(lines.map((line) => line.slice(0, line.indexOf("]") + 1)).sort()).toEqual(["[Ariadne]", "[OTLP]"]);
    expect(
      without(
        stderr
          .split("\n")
          .filter((line) => !line.startsWith("["))
          .join("\n"),
      ),
    ).toBe(without(expected.stderr));
    // Nobody asked for a file by name.
    if (name !== "conversation") expect(eventsIn(traced)).toEqual([]);
  });
});

describe("a command that fails", () => {
  it("still sends what it had emitted, the failure as one", async () => {
    const { viewer, collector, telemetry } = await ends();
    verifies("field/failure-leaves-no-trace");
    const cwd = folderWith(telemetry);
    const { code } = await call(["conversation", "talk.json", "--max-context-tokens", "1600", "--model", "gpt-4o"], {
      cwd,
      env: { COMPACT_HARD_CAP_BUFFER: "1590" },
    });
    expect(code).toBe(3);
    const errors = viewer.spans.filter(({ status }) => status === "error").map(({ name }) => name);
    expect(errors.sort()).toEqual(["compact.error", "compact.manual"]);
    expect(collector.spans.map(({ name }) => name).sort()).toEqual(viewer.spans.map(({ name }) => name).sort());
  });
});

describe("headers of a collector", () => {
  it("come from the environment, are sent, and stand in no output", async () => {
    const { collector, telemetry } = await ends();
    const cwd = folderWith(telemetry);
    const env = { OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20s3cr3t-value" };
    const { stderr } = await call(COMMANDS.conversation ?? [], { cwd, env });
    expect(collector.posts.map(({ headers }) => headers.authorization)).toContain("Bearer s3cr3t-value");
    expect(stderr).not.toContain("s3cr3t");
    for (const words of [
      ["config", "show"],
      ["config", "show", "--json"],
      ["config", "validate"],
    ])
      expect(JSON.stringify(await call(words, { cwd, env }))).not.toContain("s3cr3t");
  });

  it("are not sent where only a file names the collector, which is told", async () => {
    const cwd = folderWith({ otlp_url: "https://collector.invalid" });
    const env = { OTEL_EXPORTER_OTLP_HEADERS: "authorization=s3cr3t-value" };
    const { code, stderr } = await call(COMMANDS["memory-files"] ?? [], { cwd, env });
    expect(code).toBe(0);
    expect(stderr).toContain("[OTLP] OTEL_EXPORTER_OTLP_HEADERS is not sent");
    expect(stderr).not.toContain("s3cr3t");
  });
});

describe("a wrong address", () => {
  it.each(Object.entries(COMMANDS))("is refused before %s does anything", async (_name, argv) => {
    const cwd = folderWith(undefined);
    await prepare(cwd);
    writeFileSync(join(cwd, "compact.yaml"), "telemetry:\n  ariadne_url: viewer\n");
    const { code, stderr, stdout } = await call(argv, { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("compact.yaml:2: telemetry.ariadne_url must be an http or https address");
  });
});
