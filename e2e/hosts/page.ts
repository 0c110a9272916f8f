// The page with the figures of the last full run.
import { type Host, versionOf } from "./hosts.ts";

export interface Row {
  readonly host: Host;
  readonly version: string;
  /** Of ours, as declared to the model. */
  tools: number;
  toolTokens: number;
  /** Before a note is saved. */
  asks: boolean;
  /** How many prompts, calls, results and answers of all were found in the session file, each once. */
  read: string;
  /** Names of tests. */
  readonly failed: string[];
}

export function hostsPage(rows: readonly Row[]): string {
  const table = rows.map(({ host, version, tools, toolTokens, asks, read, failed }) => {
    const cells = [
      `${host.name} (${version})`,
      host.lists,
      tools === 0 ? "-" : `${tools} (${toolTokens.toLocaleString("en")} tokens)`,
      asks ? "asks" : "runs",
      host.hook === undefined ? "no command hooks" : host.hook.reaches.join(", ") || "nobody",
      read,
      failed.length === 0 ? "-" : failed.join("; "),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return `# Real hosts

<!-- Written by \`npm run e2e:hosts\`. -->

Each host is installed from npm and run as its users run it, one process a prompt, without a network and against a scripted model: it saves a note with our server, finds it again in another process, compacts by itself, goes on, and leaves a session file.

| host | our tools are listed | declared | \`mem_save\` without approval | the hook's text is read by | read back | not as expected |
|---|---|---|---|---|---|---|
${table.join("\n")}

- **Listed:** *declared*: name and schema in every request. *By name*: the model loads what it wants (Claude Code's tool search). *As a server*: only the server is named, and the model's programs call its tools (code mode).
- **Declared:** tools of ours in the request, and what they cost in it.
- **Without approval:** what a host does without a terminal and without a setting for our server: *asks* is a refusal there, *runs* is none.
- **Read back:** prompts, calls, results and answers that \`convert\` finds in the session file, each once and in order, after the host's compaction.

In every host a note is saved by one process and found by another, the compaction comes by itself, its words are found in the archive (\`archive search\`), and no process stays; the last column names what did not hold. In hosts without command hooks \`agent-compact conversation\` makes the archive from the session file.

\`npm run e2e:hosts\` also tries that each host goes on with what \`session compact\` wrote, after four turns or, with \`AGENT_HOSTS_TURNS=60\`, [after sixty](../guides/go-on.md), once more after a second compaction, and compacts that by itself; and that a release of some months before goes on with the first: ${older(rows)}. The [plugins](../guides/go-on.md#in-the-host-itself) for Claude Code, opencode and pi are tried in their hosts.

\`npm run e2e:hosts\` runs it again: Linux, some 2 GB of packages in \`e2e/hosts\`, a quarter of an hour. It is no part of CI.
`;
}

function older(rows: readonly Row[]): string {
  const names = rows.map(({ host }) => `${host.name.split(",")[0]} ${versionOf(host.older)?.replace(/-linux-.*/, "")}`);
  return [...new Set(names)].join(", ");
}
