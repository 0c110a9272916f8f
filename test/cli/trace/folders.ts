// A folder for each command that emits, and a configuration that says where its events go.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { newFolder } from "../command-line.ts";
import { chatConversation } from "../conversations.ts";
import { reviewed, writeRecords } from "../decisions/decision-folder.ts";
import { FILES, writeFiles } from "../memory-files/workspace-folder.ts";

export const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  conversation: ["conversation", "talk.json", "--target-tokens", "3000"],
  observations: ["observations", "compact", "--db", "m.db"],
  decisions: ["decisions", "compact", "--decisions", "decisions"],
  "memory-files": ["memory-files", "--apply"],
};

const NOTES = [1, 5].map((day) => ({
  title: "Backups",
  content: day === 1 ? "Backups run at 02:00 UTC." : "Backups run at **02:00 UTC**",
  project: "shop",
  created_at: `2025-03-0${day} 00:00:00`,
}));

/** Holds what all of the commands work on. */
export function folderWith(telemetry: Readonly<Record<string, unknown>> | undefined): string {
  const cwd = newFolder();
  writeFileSync(join(cwd, "talk.json"), JSON.stringify(chatConversation(40)));
  writeFileSync(join(cwd, "notes.jsonl"), NOTES.map((note) => `${JSON.stringify(note)}\n`).join(""));
  writeRecords(
    join(cwd, "decisions"),
    Array.from({ length: 6 }, (_, n) => reviewed(`d${n}`, 100 + n)),
  );
  writeFiles(cwd, FILES);
  if (telemetry !== undefined) writeFileSync(join(cwd, "compact.yaml"), stringify({ telemetry, memory_files: {} }));
  return cwd;
}

/** All events that are on disk below the archive. */
export function eventsIn(cwd: string): readonly Readonly<Record<string, unknown>>[] {
  const archive = join(cwd, ".compact", "archive");
  const files = readdirSync(cwd).includes(".compact")
    ? readdirSync(archive, { recursive: true, encoding: "utf8" })
    : [];
  return files
    .filter((file) => file.endsWith("events.jsonl"))
    .flatMap((file) => readFileSync(join(archive, file), "utf8").trimEnd().split("\n"))
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
}
