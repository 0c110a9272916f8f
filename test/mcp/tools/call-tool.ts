// Calls a tool as the server does, and holds every answer to what it promises: its schema and its limit.
import { expect } from "vitest";
import type * as z from "zod";
import type { Tool, ToolAnswer, ToolContext } from "../../../src/mcp/tool.ts";
import { countTokens } from "./tool-context.ts";

export interface CheckedAnswer {
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look wherever they like
  readonly structured: any;
}

/** Fails the test for an answer that is not of its schema, or larger than `max_tokens`. */
export async function callTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Tool<Input, Output>,
  input: Readonly<Record<string, unknown>>,
  context: ToolContext,
): Promise<CheckedAnswer> {
  const answer: ToolAnswer = await tool.run(tool.params.parse(input), context);
  expect(tool.result.strict().parse(answer.structured)).toEqual(answer.structured);
  const limit = typeof input.max_tokens === "number" ? input.max_tokens : context.maxTokens;
  expect(countTokens(answer.text)).toBeLessThanOrEqual(limit);
  expect(countTokens(JSON.stringify(answer.structured))).toBeLessThanOrEqual(limit);
  return answer;
}

/** Every page from the first to the one without a next cursor. */
export async function everyPage<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Tool<Input, Output>,
  input: Readonly<Record<string, unknown>>,
  context: ToolContext,
): Promise<readonly CheckedAnswer[]> {
  const pages: CheckedAnswer[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await callTool(tool, cursor === undefined ? input : { ...input, cursor }, context);
    pages.push(page);
    const next: string | undefined = page.structured.next_cursor;
    if (next === undefined) return pages;
    expect(next).not.toBe(cursor);
    expect(page.text).toContain(`cursor: "${next}"`);
    cursor = next;
  }
}
