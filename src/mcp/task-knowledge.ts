// What the decision log and the memory files of a server say of a task: principles, ways to fail, and sections, those that
// share most of its words first. Found as rows are: they are put into a store of their own for that.
import { getWisdom } from "../decisions/wisdom/get-wisdom.ts";
import { principleCounts } from "../decisions/wisdom/wisdom.ts";
import { headingOf, sectionsOf } from "../memory-files/analysis/section-report.ts";
import { openWorkspace } from "../memory-files/workspace/open-workspace.ts";
import { textOf } from "../memory-files/workspace.ts";
import { createMemoryObservationStore } from "../observations/memory-observation-store.ts";
import { snippetOf } from "../observations/reading/row-view.ts";
import { searchObservations } from "../observations/reading/search-observations.ts";
import { saveObservation } from "../observations/saving/save-observation.ts";
import { optionsOf } from "../operations/decisions/context.ts";
import { plainPlural } from "../text/figures.ts";
import type { MemoryFilesContext, ToolContext } from "./tool.ts";

export interface Knowledge {
  readonly kind: "principle" | "failure" | "section";
  /** A category, or a file with a heading. */
  readonly of: string;
  readonly text: string;
}

const MOST = 10;
const SNIPPET = 300;
/** Of one section: no memory of ours is larger. */
const MOST_UNITS = 100_000;

/** At most ten. Without a log or a workspace, or where they cannot be read, nothing. */
export async function knowledgeOf(task: string, context: ToolContext): Promise<readonly Knowledge[]> {
  const told = await Promise.all([
    wisdomIn(context).catch(() => []),
    context.memoryFiles === undefined ? [] : sectionsIn(context.memoryFiles).catch(() => []),
  ]);
  const all = told.flat();
  const store = createMemoryObservationStore();
  for (const [at, { of, text }] of all.entries())
    await saveObservation(store, { type: `${at}`, title: of, content: text }, { now: context.now() });
  const { found } = await searchObservations(store, { query: task, limit: MOST });
  return found.map(({ observation: { type, content }, place }) => ({
    ...(all[Number(type)] as Knowledge),
    text: snippetOf(content, SNIPPET, place),
  }));
}

async function wisdomIn({ decisions }: ToolContext): Promise<readonly Knowledge[]> {
  if (decisions === undefined) return [];
  const { categories } = await getWisdom(await decisions.log(), {}, optionsOf(decisions));
  return categories.flatMap(({ category: of, principles, failureModes }) => [
    ...principles.map((each) => ({ kind: "principle", of, text: `${each.text} (${principleCounts(each)})` }) as const),
    ...failureModes.map(({ text, failures, learned }) => {
      const lesson = learned.length === 0 ? "" : `; learned: ${learned.join("; ")}`;
      return { kind: "failure", of, text: `${text} (${plainPlural(failures, "failure")}${lesson})` } as const;
    }),
  ]);
}

async function sectionsIn({ root, memoryFile, notesGlob }: MemoryFilesContext): Promise<readonly Knowledge[]> {
  const { memory } = await openWorkspace({ root, memoryFile, notesGlob });
  return memory.flatMap((file) =>
    sectionsOf(file).flatMap((section): readonly Knowledge[] => {
      const text = textOf(file, section.body, section.to).trim().slice(0, MOST_UNITS);
      return text === "" ? [] : [{ kind: "section", of: `${file.file}: ${headingOf(section)}`, text }];
    }),
  );
}
