// A model of the SDK's own contract that answers from a script and keeps what it was sent.
import { type AgentInputItem, type AgentOutputItem, type Model, Usage } from "@openai/agents";

export interface Scripted {
  readonly model: Model;
  readonly inputs: readonly (readonly AgentInputItem[])[];
}

export function scripted(answer: (step: number) => readonly AgentOutputItem[]): Scripted {
  const inputs: AgentInputItem[][] = [];
  const model: Model = {
    async getResponse({ input }) {
      inputs.push(typeof input === "string" ? [{ role: "user", content: input }] : [...input]);
      return { usage: new Usage(), output: [...answer(inputs.length)], responseId: `resp_${inputs.length}` };
    },
    // biome-ignore lint/correctness/useYield: these tests do not stream
    async *getStreamedResponse() {
      throw new Error("The script does not stream.");
    },
  };
  return { model, inputs };
}

export function says(text: string): AgentOutputItem {
  return { type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text }] };
}

export function calls(name: string, callId: string, args: object): AgentOutputItem {
  return { type: "function_call", callId, name, status: "completed", arguments: JSON.stringify(args) };
}
