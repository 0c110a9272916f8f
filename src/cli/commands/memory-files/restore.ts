// `agent-compact memory-files restore`: brings back what left a memory file or a note, or lists what can be.
import { restoreMemoryFiles } from "../../../from-config/memory-files.ts";
import { journalFaults, listArchivedChanges } from "../../../memory-files/restore-memory-files.ts";
import { badFlag, type CommonFlags } from "../../flags.ts";
import { printResult } from "../../print-result.ts";
import { renderArchived, renderRestored } from "../../render/memory-files/archived.ts";
import { plural } from "../../render/table.ts";
import type { Colors, Terminal } from "../../terminal.ts";
import { restoreHints } from "./command-hints.ts";
import type { CompactFlags } from "./compact.ts";
import { failRefused } from "./fail-refused.ts";
import { type OpenedMemoryFiles, withMemoryFiles } from "./open-memory-files.ts";

const KEPT = "What left these files is in the archive.";
const GONE =
  "What is gone from the archive cannot be put back; put its files there again, from a backup or from version control.";

/** With those of the command above it, which belong to no restore. */
export interface RestoreFlags extends CommonFlags, CompactFlags {
  readonly all?: true;
}

export async function restoreWorkspace(
  named: string,
  ids: readonly string[],
  flags: RestoreFlags,
  terminal: Terminal,
): Promise<void> {
  refuseMixed(ids, flags);
  const hints = restoreHints(named, ids);
  const work = async (opened: OpenedMemoryFiles) => {
    if (ids.length === 0 && flags.all !== true) return listChanges(opened, flags, terminal);
    const { root, trace } = opened;
    const options = { trace, signal: terminal.signal };
    const report = await restoreMemoryFiles(root, flags.all === true ? { all: true } : { ids }, options);
    const render = (colors: Colors) => renderRestored(report, viewIn(opened, colors));
    printResult(report, render, flags, terminal, { isTold: true });
    const { refused } = report;
    const were = refused.length === 1 ? "was" : "were";
    const isGone = refused.some(({ code }) => code === "ARCHIVE_MISSING");
    failRefused(refused, `${plural(refused.length, "change")} ${were} not restored.`, isGone ? GONE : KEPT);
  };
  await withMemoryFiles(named, flags, terminal, work, { hints });
}

const OWN = ["all", "json", "quiet", "debug", "config"];

function refuseMixed(ids: readonly string[], flags: RestoreFlags): void {
  const [other] = Object.keys(flags).filter((name) => !OWN.includes(name));
  if (other !== undefined)
    throw badFlag(
      `restore takes no --${other.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.`,
      "It takes ids or --all; a folder named restore is ./restore.",
    );
  if (ids.length > 0 && flags.all === true) throw badFlag("--all is every change: name no ids beside it.");
}

async function listChanges(opened: OpenedMemoryFiles, flags: CommonFlags, terminal: Terminal): Promise<void> {
  const changes = await listArchivedChanges(opened.root);
  const faults = await journalFaults(opened.root);
  for (const { message } of faults) terminal.stderr.write(`agent-compact: ${message}\n`);
  const render = (colors: Colors) => renderArchived(changes, viewIn(opened, colors));
  printResult({ workspace: opened.root, changes, faults }, render, flags, terminal);
}

function viewIn({ shown, word }: OpenedMemoryFiles, colors: Colors) {
  return { shown, restore: `agent-compact memory-files restore ${word}`, colors };
}
