// Flags and help that several commands share.
import type { Command } from "commander";
import { filledText } from "../flags.ts";

export function withArchive(command: Command): Command {
  return command
    .option("--session-id <id>", "session in the archive", filledText("--session-id"))
    .option("--archive-dir <dir>", "the archive's folder (.compact/archive)", filledText("--archive-dir"));
}

export function example(...lines: readonly string[]): string {
  return `\nExample:\n${lines.map((line) => `  ${line}`).join("\n")}\n`;
}
