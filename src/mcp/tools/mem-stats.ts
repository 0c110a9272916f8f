// The tool `mem_stats`: how much the store holds.
import * as z from "zod";
import { type MemoryStats, memoryStats } from "../../observations/reading/memory-overview.ts";
import { figure } from "../../text/figures.ts";
import { answerLimit, fitLargest } from "../answer.ts";
import * as parameters from "../parameters.ts";
import { defineTool, type ToolAnswer } from "../tool.ts";
import { bounded, nameOf } from "./row-view.ts";

const statsInput = z.object({
  count_tokens: z
    .boolean()
    .optional()
    .describe("Also count the tokens of all live observations; of more than 10,000 from samples"),
  max_tokens: parameters.maxTokens.optional(),
});

const statsOutput = z.object({
  sessions: z.int(),
  observations: z.int().describe("Live ones"),
  prompts: z.int(),
  deleted: z.int().describe("Compacted or soft-deleted; they can be restored"),
  summaries: z.int().describe("Live observations that stand for compacted ones"),
  relations: z.int(),
  projects: z.array(z.string()).describe("Of live observations, sorted"),
  projects_total: z.int(),
  by_project: z
    .array(z.object({ project: z.string(), observations: z.int() }))
    .describe("Live observations of the first 50 of them"),
  tokens: z.int().optional().describe("Of titles and contents of live observations"),
  tokens_estimated: z.literal(true).optional().describe("Only samples were counted"),
});

export const memStats = defineTool({
  name: "mem_stats",
  title: "Memory statistics",
  description: "How many sessions, observations, prompts and projects the memory holds, and how much was compacted.",
  params: statsInput,
  result: statsOutput,
  hints: { isReadOnly: true, isDestructive: false, isIdempotent: true },
  async run({ count_tokens, max_tokens }, context) {
    const count = count_tokens === true ? context.count : undefined;
    const stats = await memoryStats(await context.store(), { count, perProject: true });
    const limit = answerLimit(max_tokens, context);
    const build = (projects: number) => statsAnswer(stats, projects);
    return fitLargest(0, stats.projects.length, build, limit);
  },
});

function statsAnswer(stats: MemoryStats, shown: number): ToolAnswer {
  const { projects, by_project = [], ...counts } = stats;
  const names = projects.slice(0, shown);
  const counted = by_project.slice(0, shown);
  const structured: z.infer<typeof statsOutput> = {
    ...counts,
    projects: names.map(bounded),
    projects_total: projects.length,
    by_project: counted.map(({ project, observations }) => ({ project: bounded(project), observations })),
  };
  const lines = [
    "## Memory Statistics",
    "",
    `- **Sessions**: ${stats.sessions}`,
    `- **Observations**: ${stats.observations}`,
    `- **User Prompts**: ${stats.prompts}`,
    `- **Deleted**: ${stats.deleted}${stats.deleted === 0 ? "" : " (mem_restore brings them back)"}`,
    `- **Summaries**: ${stats.summaries}`,
    `- **Relations**: ${stats.relations}`,
    ...(stats.tokens === undefined ? [] : [`- **Tokens**: ${about(stats)}${figure(stats.tokens)}`]),
    projectLine(
      names.map((name, at) => nameOf(name) + (counted[at] === undefined ? "" : ` (${counted[at].observations})`)),
      projects.length,
    ),
  ];
  return { text: lines.join("\n"), structured };
}

function about({ tokens_estimated }: MemoryStats): string {
  return tokens_estimated === true ? "about " : "";
}

function projectLine(names: readonly string[], total: number): string {
  if (total === 0) return "- **Projects**: none";
  const more = total > names.length ? [`and ${total - names.length} more`] : [];
  return `- **Projects** (${total}): ${[...names, ...more].join(", ")}`;
}
