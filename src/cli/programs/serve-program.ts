// The command of the decision server, its flags and its help.
import type { Command } from "commander";
import type { ServeFlags } from "../commands/serve.ts";
import { filledText, port } from "../flags.ts";
import type { Terminal } from "../terminal.ts";
import { example } from "./command-parts.ts";

export function addServeCommand(program: Command, terminal: Terminal): void {
  program
    .command("serve")
    .description("serve a decision log over JSON-RPC on this machine, and run its cycle every day")
    .option("--port <n>", "port of 127.0.0.1, 0 for any free one (8100)", port("--port"))
    .option("--decisions <dir>", "folder of YAML records (decisions, where that is)", filledText("--decisions"))
    .option("--db <file>", "database instead (~/.agent-compact/decisions.db)", filledText("--db"))
    .addHelpText(
      "after",
      `\nTokens, one for each agent, come from the environment: CSTP_AUTH_TOKENS=agent:token,agent:token\n${example(
        "agent-compact serve --decisions decisions",
        "agent-compact serve --db decisions.db --port 8200",
      )}`,
    )
    .action(async (_flags: unknown, self: Command) => {
      const { serveDecisions } = await import("../commands/serve.ts");
      await serveDecisions(self.optsWithGlobals<ServeFlags>(), terminal);
    });
}
