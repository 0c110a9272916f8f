// An agent for the long task, over the SDK's own provider and models, pointed at the mock.
import { Agent, OpenAIProvider, Runner, tool } from "@openai/agents";
import { z } from "zod";
import { readFile, SYSTEM } from "../long-task.ts";

export const read = tool({
  name: "read_file",
  description: "Reads a file.",
  parameters: z.object({ path: z.string() }),
  execute: ({ path }) => readFile(path),
});

export function reviewer(name = "reviewer"): Agent {
  return new Agent({ name, instructions: SYSTEM, model: "gpt-4o", tools: [read] });
}

export interface Endpoint {
  readonly url: string;
  readonly useResponses: boolean;
  readonly isTraced?: boolean;
}

export function runnerAt({ url, useResponses, isTraced = false }: Endpoint): Runner {
  const modelProvider = new OpenAIProvider({ apiKey: "none", baseURL: `${url}/v1`, useResponses });
  return new Runner({ modelProvider, tracingDisabled: !isTraced });
}
