// The configuration's commands, their flags and their help.
import type { Command } from "commander";
import type { ShowFlags } from "../commands/config.ts";
import { type CommonFlags, filledText } from "../flags.ts";
import type { Terminal } from "../terminal.ts";
import { example } from "./command-parts.ts";

const COMMAND = "agent-compact config";

export function addConfigCommands(program: Command, terminal: Terminal): void {
  const config = program
    .command("config")
    .description("show, check or begin the configuration")
    .addHelpText("after", example(`${COMMAND} show`));
  config
    .command("show")
    .description("every value in effect, and where it comes from")
    .option("--model <name>", "as it is for this model", filledText("--model"))
    .addHelpText("after", example(`${COMMAND} show`, `${COMMAND} show --model gpt-4o-mini --json`))
    .action(async (_flags: unknown, self: Command) => {
      const { showConfig } = await import("../commands/config.ts");
      await showConfig(self.optsWithGlobals<ShowFlags>(), terminal);
    });
  config
    .command("validate")
    .description("check the file and the variables; exit 2 when something is wrong")
    .argument("[file]", "the one that would be found when left out")
    .addHelpText("after", example(`${COMMAND} validate`, `${COMMAND} validate compact.yaml --json`))
    .action(async (file: string | undefined, _flags: unknown, self: Command) => {
      const { validateConfig } = await import("../commands/config.ts");
      await validateConfig(file, self.optsWithGlobals<CommonFlags>(), terminal);
    });
  addBeginning(config, terminal);
}

function addBeginning(config: Command, terminal: Terminal): void {
  config
    .command("schema")
    .description("print the JSON Schema of the file, for editors")
    .addHelpText("after", example(`${COMMAND} schema > compact.schema.json`))
    .action(async () => {
      const { printSchema } = await import("../commands/config.ts");
      printSchema(terminal);
    });
  config
    .command("init")
    .description("write a commented file; one that is there is never replaced")
    .argument("[file]", "where to write (compact.yaml); - for stdout")
    .addHelpText("after", example(`${COMMAND} init`, `${COMMAND} init - | less`))
    .action(async (file: string | undefined, _flags: unknown, self: Command) => {
      const { initConfig } = await import("../commands/config.ts");
      await initConfig(file, self.optsWithGlobals<CommonFlags>(), terminal);
    });
}
