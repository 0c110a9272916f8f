// What can be thrown at a caller, whole: message, hint, data, causes, stack. None of it quotes what the conversation, the
// model, the archive or the configuration said.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  CompactError,
  CompactManager,
  createCallbackSink,
  createFsArchive,
  loadConversationConfig,
} from "../../src/index.ts";
import { startScriptedServer } from "../../src/testing.ts";
import { call, newFolder } from "../cli/command-line.ts";
import { everythingOf } from "./doors.ts";
import { anthropic, openaiChat, openaiResponses } from "./planting/chat-histories.ts";
import { createPlanter, type Planter } from "./planting/planter.ts";

let folder: string;
let planter: Planter;
beforeEach(async () => {
  planter = createPlanter(41);
  folder = await mkdtemp(join(tmpdir(), "error-doors-"));
});
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));

async function failureOf(work: () => unknown): Promise<CompactError> {
  const thrown: unknown = await Promise.resolve()
    .then(work)
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  if (!CompactError.isInstance(thrown)) throw thrown ?? new Error("nothing was thrown");
  return thrown;
}

async function expectSilent(work: () => unknown): Promise<CompactError> {
  const error = await failureOf(work);
  expect(planter.leaksIn(everythingOf(error))).toEqual([]);
  return error;
}

describe("a conversation that is refused", () => {
  const histories = [openaiChat, openaiResponses, anthropic];

  it.each(histories.map((plantIn) => [plantIn.name, plantIn] as const))(
    "for its damage or its size is not quoted, nor by the events: %s",
    async (_name, plantIn) => {
      const events: unknown[] = [];
      const manager = (maxContextTokens: number) =>
        new CompactManager({
          maxContextTokens,
          archive: false,
          policy: { shortenToolResults: false },
          protect: () => true,
          trace: [createCallbackSink((event) => void events.push(event))],
        });
      const { messages, ...rest } = plantIn(planter);
      const damaged = messages.filter((_message, index) => index % 5 !== 3);
      const strict = await failureOf(() => manager(128_000).manualCompact("s", damaged, { ...rest, isStrict: true }));
      expect(strict.code).toBe("DAMAGED_INPUT");
      expect(planter.leaksIn(everythingOf(strict))).toEqual([]);
      const { kind } = await expectSilent(() => manager(3000).manualCompact("s", messages, rest));
      expect(kind).toBe("InsufficientBudget");
      expect(events.length).toBeGreaterThan(2);
      expect(planter.leaksIn(JSON.stringify(events))).toEqual([]);
    },
  );

  it("for its damage does not give away what its calls' ids hold", async () => {
    const damaged = openaiChat(planter).messages.filter((_message, index) => index % 5 !== 3);
    const manager = new CompactManager({ archive: false });
    await expectSilent(() => manager.manualCompact("s", damaged, { isStrict: true }));
    const { report } = await manager.compact("s", damaged);
    expect(report.repairs.length).toBeGreaterThan(0);
    expect(JSON.stringify(report.repairs)).toContain("<REDACTED>");
    expect(planter.leaksIn(JSON.stringify(await manager.plan("s", damaged)))).toEqual([]);
    expect(planter.leaksIn(JSON.stringify(report))).toEqual([]);
  });

  it("because JSON cannot hold it is not quoted", async () => {
    const messages = openaiChat(planter).messages.slice(0, 30);
    const circle: Record<string, unknown> = { role: "user", content: messages[2]?.content };
    circle.self = circle;
    const manager = new CompactManager({ archive: { path: folder } });
    for (const odd of [circle, { role: "user", content: messages[2]?.content, big: 1n }])
      await manager.manualCompact("s", [...messages, odd]).catch((error: unknown) => {
        if (!CompactError.isInstance(error)) throw error;
        expect(planter.leaksIn(everythingOf(error))).toEqual([]);
      });
  });
});

describe("a model that fails with everything it was told", () => {
  it.each([400, 401, 404, 429, 500])(
    "is not quoted: status %d",
    async (status) => {
      const { messages, ...rest } = openaiChat(planter);
      const words = planter.kinds.map((kind) => planter.plantOf(kind)("words of the provider")).join("\n");
      const server = await startScriptedServer(({ body }) => ({
        status,
        headers: { "retry-after": "0" },
        body: {
          error: { message: `${words}\n${JSON.stringify(body)}`, type: words.slice(0, 80), code: words.slice(80, 160) },
        },
      }));
      const events: unknown[] = [];
      try {
        const manager = new CompactManager({
          summarizer: { type: "openai-compatible", model: "m", baseUrl: server.openaiUrl },
          archive: { path: folder },
          policy: { onSummaryFailure: "keep" },
          trace: [createCallbackSink((event) => void events.push(event))],
        });
        const told = await manager.compact("s", messages, rest).then(
          ({ report }) => JSON.stringify(report),
          (error: unknown) => everythingOf(error as CompactError),
        );
        await manager.flush();
        expect(server.calls.length).toBeGreaterThan(0);
        expect(events).toContainEqual(expect.objectContaining({ event: "compact.error" }));
        expect(planter.leaksIn(`${told}\n${JSON.stringify(events)}`)).toEqual([]);
      } finally {
        await server.close();
      }
    },
    60_000,
  );
});

describe("a damaged archive", () => {
  it("is told by its place, not by what stands in it", async () => {
    const words = planter.kinds.map((kind) => planter.plantOf(kind)("a damaged file")).join(" ");
    const manager = new CompactManager({ archive: { path: folder } });
    await manager.manualCompact("s", openaiChat(planter).messages);
    await manager.flush();
    const archive = createFsArchive({ path: folder });
    await writeFile(join(folder, "s", "transcript-pre-compact-001.jsonl"), `{"role": ${words}\n{"role":"user"}\n`);
    await writeFile(join(folder, "s", "summary-001.json"), `{"text": ${words}`);
    await writeFile(join(folder, "s", "state.json"), words);
    await expectSilent(() => archive.readTranscript("s", 1, { strict: true }));
    await expectSilent(() => archive.readSummary("s", 1));
    await expectSilent(() => archive.readState("s", { strict: true }));
    for (const command of ["list", "show", "verify", "restore"])
      for (const mode of [[], ["--json"], ["--debug"]]) {
        const { stdout, stderr } = await call(["archive", command, "--archive-dir", folder, ...mode], {
          cwd: newFolder(),
        });
        expect(planter.leaksIn(`${stdout}\n${stderr}`), `${command} ${mode.join(" ")}`).toEqual([]);
      }
  });
});

describe("a configuration with a secret where none belongs", () => {
  const planted = (id: string) => {
    const kind = planter.kinds.find((known) => known.id === id);
    if (kind === undefined) throw new Error(`no kind of secrets is called ${id}`);
    return planter.plantOf(kind)("a setting");
  };
  const secretUrl = () => planted("password-in-url");

  it("is refused by its key, not by its value", async () => {
    const text = secretUrl().replace("git clone ", "");
    for (const file of [
      { summarizer: { type: "anthropic", model: "m", base_url: text } },
      { redaction: { patterns: [`${text}(`] } },
      { redaction: { patterns: text } },
      { policy: { trigger_pct: text } },
      { model: [text] },
      { storage: { adapter: text } },
      { telemetry: { ariadne_url: text } },
      { telemetry: { otlp_url: text } },
      { max_context_tokens: text },
    ]) {
      await writeFile(join(folder, "compact.json"), JSON.stringify(file));
      const error = await failureOf(() =>
        loadConversationConfig({ cwd: folder, file: join(folder, "compact.json"), env: {} }),
      );
      expect({ file: Object.keys(file), leaks: planter.leaksIn(everythingOf(error)) }).toEqual({
        file: Object.keys(file),
        leaks: [],
      });
    }
  });

  it("that comes from the environment is shown by no command", async () => {
    const [url, key] = [secretUrl().replace("git clone ", ""), planted("openai-key")];
    const cwd = newFolder();
    const env = {
      COMPACT_SUMMARIZER_TYPE: "anthropic",
      COMPACT_SUMMARIZER_MODEL: "m",
      COMPACT_SUMMARIZER_API_KEY: key,
      ANTHROPIC_API_KEY: key,
      OPENAI_API_KEY: key,
      COMPACT_MCP_TOKEN: key,
      CSTP_AUTH_TOKENS: `agent:${key}`,
      AWS_SECRET_ACCESS_KEY: key,
      AWS_SESSION_TOKEN: key,
    };
    for (const command of ["show", "validate"])
      for (const mode of [[], ["--json"], ["--debug"]])
        for (const given of [env, { ...env, COMPACT_SUMMARIZER_BASE_URL: url }, { ...env, COMPACT_TRIGGER_PCT: key }]) {
          const { stdout, stderr } = await call(["config", command, ...mode], { cwd, env: given });
          expect(stdout.length + stderr.length).toBeGreaterThan(0);
          expect(planter.leaksIn(`${stdout}\n${stderr}`), `${command} ${mode.join(" ")}`).toEqual([]);
        }
  });
});
