// A run that goes on from an answer that the server holds sends only what is new: outputs without their calls.
import { Agent, Runner, tool } from "@openai/agents";
import { expect, it } from "vitest";
import { z } from "zod";
import { CompactManager } from "../../../src/index.ts";
import { compactInputFilter } from "../../../src/integrations/openai-agents.ts";
import { verifies } from "../../requirements/verifies.ts";
import { calls, says, scripted } from "./scripted.ts";

const readLog = tool({
  name: "read_log",
  description: "Reads a log.",
  parameters: z.object({ name: z.string() }),
  execute: async ({ name }) => `${name}: ${"drift ".repeat(name === "long" ? 4_000 : 3)}`,
});

it.each([
  [{ previousResponseId: "resp_0" }, 64_000],
  [{ conversationId: "conv_1" }, 64_000],
  [{ previousResponseId: "resp_0" }, 3_000],
])("with %j in a window of %d each output goes out as an output", async (held, maxContextTokens) => {
  verifies("fault/valid-lists-rewritten");
  const { model, inputs } = scripted((step) =>
    step < 3 ? [calls("read_log", `call_${step}`, { name: "long" })] : [says("done")],
  );
  const agent = new Agent({ name: "reader", model, tools: [readLog] });
  const manager = new CompactManager({ archive: false, maxContextTokens });
  await new Runner({ tracingDisabled: true }).run(agent, "Read the logs.", {
    ...held,
    callModelInputFilter: compactInputFilter(manager),
  });
  expect(inputs.slice(1).map((items) => items.map((item) => [item.type, "callId" in item ? item.callId : ""]))).toEqual(
    [[["function_call_result", "call_1"]], [["function_call_result", "call_2"]]],
  );
  expect(JSON.stringify(inputs)).not.toContain("[Note:");
});
