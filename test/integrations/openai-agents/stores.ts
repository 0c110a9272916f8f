// Sessions as applications write them: the least contract, and stores that show less than they have or fail half-way.
import type { AgentInputItem, Session } from "@openai/agents";
import { readFile } from "../long-task.ts";

/** Users and assistants in turn, some 130 tokens each. */
export function talk(count: number, from = 0): AgentInputItem[] {
  return Array.from({ length: count }, (_, at): AgentInputItem => {
    const number = from + at;
    const text = `Item ${number} of the talk.\n${readFile(`src/part-${number}.ts`).slice(0, 330)}`;
    if (number % 2 === 0) return { type: "message", role: "user", content: text };
    return { type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text }] };
  });
}

export class ListStore implements Session {
  items: AgentInputItem[];
  constructor(items: readonly AgentInputItem[] = []) {
    this.items = structuredClone([...items]);
  }
  async getSessionId(): Promise<string> {
    return "berths";
  }
  async getItems(limit?: number): Promise<AgentInputItem[]> {
    return structuredClone(limit === undefined ? this.items : this.items.slice(Math.max(0, this.items.length - limit)));
  }
  async addItems(items: AgentInputItem[]): Promise<void> {
    this.items.push(...structuredClone(items));
  }
  async popItem(): Promise<AgentInputItem | undefined> {
    return this.items.pop();
  }
  async clearSession(): Promise<void> {
    this.items = [];
  }
}

/** Shows its newest 100 items unless it is asked for more. */
export class WindowedStore extends ListStore {
  override getItems(limit = 100): Promise<AgentInputItem[]> {
    return super.getItems(limit);
  }
}

/** Shows its newest 100 items whatever it is asked for. */
export class CappedStore extends ListStore {
  override getItems(limit = 100): Promise<AgentInputItem[]> {
    return super.getItems(Math.min(limit, 100));
  }
}
