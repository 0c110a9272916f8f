// What the command line prints and writes for the examples, word for word, as text and as JSON. A change shows as a
// difference in doors/: read it, and update with `npx vitest run test/golden/doors -u` when it is what you wanted.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { call, newFolder, snapshot } from "../cli/command-line.ts";

const EXAMPLES = new URL("../../examples/", import.meta.url).pathname;
const SESSION = "transcripts/coding-session.json";

/** Each story runs in a folder of its own, on copies of the examples, one command after the other. */
const STORIES: Readonly<Record<string, readonly string[]>> = {
  help: [
    "--help",
    "conversation --help",
    "observations compact --help",
    "decisions list --help",
    "memory-files --help",
    "archive restore --help",
    "mcp --help",
  ],
  conversation: [
    `conversation ${SESSION} --dry-run --target-tokens 6000`,
    `conversation ${SESSION} --dry-run --target-tokens 6000 --json`,
    `conversation ${SESSION} --target-tokens 6000 --session-id first`,
    `conversation ${SESSION} --if-needed --json`,
    "conversation transcripts/support-chat.anthropic.json --target-tokens 1500 --to openai-chat --json --session-id chat",
    "conversation transcripts/coding-session.claude-code.jsonl --target-tokens 6000 --out small.jsonl --session-id host",
    "conversation missing.json",
    `conversation ${SESSION} --target-tokens none`,
  ],
  reading: [
    `inspect ${SESSION}`,
    `inspect ${SESSION} --json`,
    `facts ${SESSION}`,
    "facts transcripts/support-chat.anthropic.json --json",
    "convert transcripts/support-chat.anthropic.json --to openai-chat --out -",
    "convert transcripts/support-chat.anthropic.json --to openai-responses --json",
    `conversation ${SESSION} --target-tokens 6000 --out small.json`,
    `diff ${SESSION} small.json`,
    `diff ${SESSION} small.json --json`,
    `evaluate ${SESSION} --targets 20`,
    `evaluate ${SESSION} --targets 20 --json`,
  ],
  archive: [
    `conversation ${SESSION} --target-tokens 6000 --session-id one --quiet`,
    "archive list",
    "archive list --json",
    "archive show one",
    "archive verify",
    "archive search migration --json",
    "archive expand 1.3 --session-id one",
    "archive restore 1 --session-id one --out back.json",
    "archive gc --keep-days 0",
    "archive gc --keep-days 0 --json",
  ],
  config: ["config show", "config validate --json", "config init", "config init"],
  observations: [
    "observations import memories/notes.jsonl --db m.db",
    "observations import memories/notes.jsonl --db m.db --json",
    "observations stats --db m.db",
    "observations stale --db m.db --older-than 1 --json",
    "observations search postgres --db m.db",
    "observations compact --db m.db --older-than 1 --dry-run",
    "observations compact --db m.db --older-than 1 --json",
    "observations compact --db m.db --older-than 1",
    "observations show 1 --db m.db",
    "observations restore 1 --db m.db",
    "observations export --db m.db",
  ],
  decisions: [
    "decisions import decisions --db d.db",
    "decisions list --db d.db",
    "decisions list --db d.db --json",
    "decisions wisdom --db d.db",
    "decisions calibration --db d.db --json",
    "decisions compact --db d.db --dry-run",
    "decisions compact --db d.db --json",
    "decisions get nothing --db d.db",
  ],
  memoryFiles: [
    "memory-files workspace",
    "memory-files workspace --json",
    "memory-files workspace --aggressive --contained --move --digest",
    "memory-files workspace --aggressive --plan-out plan.json",
    "memory-files workspace --plan plan.json --apply",
    "memory-files restore workspace",
    "memory-files workspace --plan plan.json --apply --json",
  ],
  hook: ["hook --print claude-code", "hook --print codex", "hook --print gemini-cli"],
};

/** What differs from run to run. */
const VOLATILE: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?/gu, "<time>"],
  [/\b\d{8}T\d{6}(?:\d{3})?Z?\b/gu, "<time>"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gu, "<uuid>"],
  [/(?<="run":\{"id":")[0-9a-f]{8,32}/gu, "<run>"],
  [/\b[0-9a-f]{32,64}\b/gu, "<hash>"],
  [/"(?:[a-z_]*(?:duration|milliseconds|_ms|Ms|_at|At|size_bytes))":\s?[\d.]+/gu, '"<measured>"'],
  [/\b\d+(?:\.\d+)? (?:ms|s)\b/gu, "<duration>"],
  [/^ *milliseconds .*$/gmu, "  milliseconds <measured>"],
];

function steady(text: string, folder: string): string {
  return VOLATILE.reduce((read, [pattern, by]) => read.replace(pattern, by), text.replaceAll(folder, "<folder>"));
}

describe("the command line on the examples", () => {
  // Ages decide what is stale and at which level a decision stands.
  beforeAll(() => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 10, 29) });
  });
  afterAll(() => {
    vi.useRealTimers();
  });

  it.each(Object.entries(STORIES))(
    "%s",
    async (name, commands) => {
      const cwd = newFolder();
      // What the README's command leaves there is no example.
      for (const folder of ["transcripts", "memories", "decisions", "workspace"])
        cpSync(join(EXAMPLES, folder), join(cwd, folder), {
          recursive: true,
          filter: (path) => !path.includes(".compacted."),
        });
      const told: string[] = [];
      for (const command of commands) {
        const before = snapshot(cwd);
        const { code, stdout, stderr } = await call(command.split(" "), { cwd, env: { HOME: cwd } });
        const after = snapshot(cwd);
        const written = Object.keys(after).filter((file) => after[file] !== before[file] && !file.endsWith("-wal"));
        const lines = [`$ agent-compact ${command}`, stdout.trimEnd(), stderr.trimEnd(), `exit ${code}`, ...written];
        told.push(steady(lines.filter(Boolean).join("\n"), cwd));
      }
      await expect(`${told.join("\n\n")}\n`).toMatchFileSnapshot(`doors/${name}.txt`);
    },
    60_000,
  );
});
