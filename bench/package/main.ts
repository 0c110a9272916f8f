// What the package weighs: files in the tarball, megabytes on disk without optional packages, the root entry as a bundler
// makes it, and milliseconds to import it. `npm run build && npm run bench:package` writes docs/reference/package.md.
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { bundleRoot } from "./bundle-root.ts";
import { bytesBelow } from "./bytes-below.ts";
import { timeCommands, timeStarts } from "./import-time.ts";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "agent-compact-package-"));
try {
  const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder]);
  const [packed] = JSON.parse(stdout) as { size: number; unpackedSize: number; entryCount: number }[];
  if (packed === undefined) throw new Error("npm pack told nothing");
  const tarball = readdirSync(folder).find((file) => file.endsWith(".tgz")) ?? "";
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--omit=optional"];
  await run("npm", ["install", ...quiet, join(folder, tarball)], { cwd: folder });
  const installed = bytesBelow(join(folder, "node_modules"));
  const bundle = await bundleRoot();
  writeFileSync(join(folder, "empty.mjs"), "");
  const root = importOf(resolve("dist/index.js"));
  const times = timeStarts({
    "import of an empty file": importOf(join(folder, "empty.mjs")),
    "import of the root": root,
    ...Object.fromEntries(
      ["tokens", "openai", "ai", "langchain"].map((name) => [
        `import of \`agent-compact/${name}\``,
        importOf(resolve(`dist/${name}.js`)),
      ]),
    ),
    "the root, and a first preflight of one message": `const { CompactManager } = ${root}; await new CompactManager({ archive: false }).preflight("s", [{ role: "user", content: "Hi." }])`,
  });

  const session = resolve("examples/transcripts/coding-session.claude-code.jsonl");
  const main = resolve("dist/cli/main.js");
  const archived = ["--archive-dir", join(folder, "archive")];
  const event = (name: string, more = {}) =>
    JSON.stringify({ hook_event_name: name, session_id: "s", cwd: folder, transcript_path: session, ...more });
  const hook = (what: string, stdin: string) => ({ what, args: [main, "hook", ...archived], stdin });
  const conversation = resolve("examples/transcripts/coding-session.json");
  const commands = timeCommands([
    { what: "`--version`", args: [main, "--version"] },
    { what: "`--help`", args: [main, "--help"] },
    { what: "`facts`, 28,000 tokens", args: [main, "facts", conversation] },
    { what: "`inspect`, the same", args: [main, "inspect", conversation] },
    {
      what: "`conversation`, the same",
      args: [main, "conversation", conversation, ...archived, "--out", join(folder, "out.json")],
    },
    hook("`hook` before a compaction", event("PreCompact", { trigger: "manual" })),
    hook("`hook` after it", event("SessionStart", { source: "compact" })),
    hook("`hook`, another event", event("PostToolUse")),
    { what: "`mcp`, started and ended", args: [main, "mcp", "--db", join(folder, "memory.db")] },
  ]);

  const rows: readonly (readonly [string, string])[] = [
    [
      "files in the tarball",
      `${packed.entryCount}, ${megabytes(packed.size)} packed, ${megabytes(packed.unpackedSize)} unpacked`,
    ],
    ["installed, without optional packages", megabytes(installed)],
    ["root entry, bundled and minified", megabytes(bundle.code)],
    ["the same with the ranks of o200k_base", megabytes(bundle.code + bundle.o200k)],
    ["the same with both rank tables, gzip", megabytes(bundle.gzip)],
    ...times.map(({ what, median }) => [what, `${median.toFixed(0)} ms`] as const),
  ];
  const page = `# What the package weighs

\`npm run build && npm run bench:package\` printed this on Node ${process.version}, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}.

| | |
|---|---|
${rows.map(([what, figure]) => `| ${what} | ${figure} |`).join("\n")}

## How long a command takes

In times of \`node -e 0\`, processor time of the whole process: medians of 15, each against a bare Node of the same minute.

| | times a bare Node |
|---|---|
${commands.map(({ what, ratio }) => `| ${what} | ${ratio.toFixed(1)} |`).join("\n")}

Times of imports are medians of 15 processes by the clock, from the call of \`import()\` to its end; what Node takes for an empty file is part of each. What the root answers with a promise is loaded at the first call, the rank tables at the first count.
`;
  writeFileSync("docs/reference/package.md", page);
  console.log(page);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function importOf(file: string): string {
  return `await import(${JSON.stringify(file)})`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(2)} MB`;
}
