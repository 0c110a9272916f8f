// The parameters that the reading tools share, described once.
import * as z from "zod";

export const detailLevel = z
  .enum(["summary", "standard", "full"])
  .describe("summary: ids and titles; standard (default): a snippet of 300 characters each; full: whole contents");

export type DetailLevel = z.infer<typeof detailLevel>;

export const maxTokens = z
  .number()
  .describe("Most tokens of the answer, counted exactly; what does not fit comes with the next page");

export const cursor = z.string().describe("next_cursor of the last answer, with the same other arguments");

export const nextCursor = z.string().describe("Send it as cursor for the next page; absent on the last");

export const project = z.string().describe("Only this project, by its exact name");

export const scope = z.string().describe("Only project or personal; both when left out");

export const namespace = z.string().describe("Only this namespace");

export const includeCompacted = z.boolean().describe("Also what was compacted or soft-deleted; it is marked as such");
