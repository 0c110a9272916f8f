// The command that writes a conversation in another provider's messages, its flags and its help.
import type { Command } from "commander";
import { FORMATS } from "../../from-config/formats.ts";
import { READERS } from "../../from-config/readers.ts";
import type { ConvertFlags } from "../commands/convert.ts";
import { filledText, oneOf } from "../flags.ts";
import type { Terminal } from "../terminal.ts";
import { example } from "./command-parts.ts";

export function addConvertCommand(program: Command, terminal: Terminal): void {
  const targets = FORMATS.map(({ name }) => name);
  const formats = ["auto", ...targets, ...READERS.map(({ name }) => name)];
  program
    .command("convert")
    .description("write a conversation as another provider's messages")
    .argument("<file>", "as for conversation")
    .requiredOption("--to <format>", `format of the result: ${targets.join(", ")}`, oneOf("--to", targets))
    .option("--format <name>", `format of the input: ${formats.join(", ")}`, oneOf("--format", formats), "auto")
    .option("--out <file>", "where to write (NAME.FORMAT.json beside the input); - for stdout", filledText("--out"))
    .addHelpText(
      "after",
      example(
        "agent-compact convert session.jsonl --to openai-chat",
        "agent-compact convert request.json --to anthropic --out - | jq .system",
      ),
    )
    .action(async (file: string, _flags: unknown, self: Command) => {
      const { convertFile } = await import("../commands/convert.ts");
      await convertFile(file, self.optsWithGlobals<ConvertFlags>(), terminal);
    });
}
