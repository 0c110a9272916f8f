// `agent-compact install` and `uninstall`, as a person sees them: the changed lines of each file, then what was done.
import { createRedactor } from "../../redaction/redactor.ts";
import { shownPath } from "../files/output.ts";
import { printResult } from "../report.ts";
import type { Colors, Terminal } from "../terminal.ts";
import {
  type Change,
  planInstall,
  planUninstall,
  readRecord,
  type Target,
  targetOf,
  writeInstall,
  writeUninstall,
} from "./install.ts";
import { changedLines } from "./lines.ts";
import type { InstallFlags } from "./program.ts";

/** Throws `InvalidConfig` for a file of the host that cannot be read, before anything is written. */
export async function installHost(name: string, flags: InstallFlags, terminal: Terminal): Promise<void> {
  const target = targetOf(name, flags.project === true, terminal);
  const record = await readRecord(target);
  const changes = await planInstall(target, record);
  const isChange = changes.some(({ now, next }) => now !== next);
  const { title, next } = target.host;
  const has = changes.flatMap(({ recorded }) => recorded?.entries ?? []).map(({ what }) => what);
  const isWritten = isChange && flags.dryRun !== true;
  const todo = isChange ? (target.project === undefined ? next?.user : next?.project) : undefined;
  if (isWritten) await writeInstall(target, record, changes);
  const isPassing = /[\\/]_npx[\\/]/.test(target.program[1]);
  report({ target, changes, flags, terminal, next: todo }, (written) => [
    isChange ? `${title} ${written("has", "would have")}: ${has.join(", ")}.` : `${title} is as install leaves it.`,
    ...leftWords(changes, terminal, "Not written, since another is there"),
    ...(isPassing
      ? ["npx runs this from a folder that npm may empty: install it with `npm install --global` first."]
      : []),
    ...(isWritten
      ? [`Take it back: agent-compact uninstall ${name}${flags.project === true ? " --project" : ""}`]
      : []),
    ...(isWritten && todo !== undefined ? [`Next: ${todo}`] : []),
  ]);
}

/** Throws as `installHost`. */
export async function uninstallHost(name: string, flags: InstallFlags, terminal: Terminal): Promise<void> {
  const target = targetOf(name, flags.project === true, terminal);
  const record = await readRecord(target);
  const changes = record === undefined ? [] : await planUninstall(record);
  if (record !== undefined && flags.dryRun !== true) await writeUninstall(target, record, changes);
  const { title } = target.host;
  report({ target, changes, flags, terminal }, (written) => [
    record === undefined
      ? `Nothing was installed into ${title}${flags.project === true ? " for the project in this folder" : ""}.`
      : `${title} ${written("has", "would have")} nothing of it any more.`,
    ...leftWords(changes, terminal, "Changed since it was written, and left"),
  ]);
}

function leftWords(changes: readonly Change[], { cwd }: Terminal, why: string): readonly string[] {
  const left = changes.flatMap(({ path, left }) => left.map(({ what }) => `${what} (${shownPath(path, cwd)})`));
  return left.length === 0 ? [] : [`${why}: ${left.join(", ")}.`];
}

interface Reported {
  readonly target: Target;
  readonly changes: readonly Change[];
  readonly flags: InstallFlags;
  readonly terminal: Terminal;
  readonly next?: string | undefined;
}

type Written = (done: string, planned: string) => string;

function report(
  { target, changes, flags, terminal, next }: Reported,
  say: (written: Written) => readonly string[],
): void {
  const isDry = flags.dryRun === true;
  // The lines beside ours may be in one with them.
  const redactor = createRedactor();
  const safe = (text = "") => String(redactor.text(text));
  const files = changes.map(({ path, now, next, added, left }) => ({
    path,
    change: now === next ? "none" : now === undefined ? "new" : next === undefined ? "removed" : "changed",
    added: added.map(({ what }) => what),
    left: left.map(({ what }) => what),
    lines: now === next ? [] : changedLines(safe(now), safe(next)),
  }));
  const { host, project = null } = target;
  const render = (colors: Colors) => {
    const shown = files.flatMap(({ path, change, lines }) => {
      if (change === "none") return [];
      const title = `${shownPath(path, terminal.cwd)}${change === "changed" ? "" : ` (${change})`}`;
      const told = change === "removed" ? [] : lines;
      return [colors.bold(title), ...told.map((line) => `  ${painted(line, colors)}`), ""];
    });
    const said = say((done, planned) => (isDry ? planned : done));
    return `${[...shown, ...said, ...(isDry ? ["Nothing was written."] : [])].join("\n")}\n`;
  };
  const result = { host: host.name, project, dry_run: isDry, files, next: next ?? null };
  printResult(result, render, flags, terminal, { isReport: true });
}

function painted(line: string, colors: Colors): string {
  return line.startsWith("+") ? colors.green(line) : line.startsWith("-") ? colors.red(line) : colors.dim(line);
}
