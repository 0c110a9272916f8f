// Decisions that keep the level of a summary or digest, but have no text made of the record as it is now: it was changed
// since, or another model or strategy writes from now on.
import type { DecisionFilter, DecisionReader, LeveledDecision, LevelView, Position } from "../decision-log.ts";
import { confidenceRange } from "../levels/confidence-range.ts";
import type { TextWriter } from "../texts/text-writer.ts";
import { BATCH } from "./in-batches.ts";
import type { PlannedRewrite } from "./plan-schema.ts";
import { byPriority, priorityOf } from "./priority.ts";

export interface RewriteQuery {
  readonly filter: DecisionFilter;
  readonly view: LevelView;
  /** Ids whose texts are planned already. */
  readonly changing: ReadonlySet<string>;
  /** Absent: any text of the record will do. */
  readonly writer: Pick<TextWriter, "strategy" | "model"> | undefined;
}

export async function findRewrites(
  log: Pick<DecisionReader, "page" | "texts">,
  { filter, view, changing, writer }: RewriteQuery,
): Promise<readonly PlannedRewrite[]> {
  const found: PlannedRewrite[] = [];
  let after: Position | undefined;
  for (;;) {
    const place = after === undefined ? {} : { after };
    const page = await log.page({ filter, view, levels: ["summary", "digest"], limit: BATCH, ...place });
    const staying = page.filter(({ decision }) => !changing.has(decision.id));
    const written = await writtenTexts(log, staying, writer);
    found.push(...staying.filter((item) => !written.has(textKey(item.decision.id, item.level))).map(planned));
    const last = page.length < BATCH ? undefined : page.at(-1)?.decision;
    if (last === undefined) return found.sort(byPriority);
    after = { id: last.id, ...(last.decidedAt === undefined ? {} : { decidedAt: last.decidedAt }) };
  }
}

async function writtenTexts(
  log: Pick<DecisionReader, "texts">,
  items: readonly LeveledDecision[],
  writer: RewriteQuery["writer"],
): Promise<ReadonlySet<string>> {
  if (items.length === 0) return new Set();
  const texts = await log.texts(items.map(({ decision }) => decision.id));
  const counting = texts.filter(
    ({ strategy, model }) => writer === undefined || (strategy === writer.strategy && model === writer.model),
  );
  return new Set(counting.map(({ id, level }) => textKey(id, level)));
}

function textKey(id: string, level: string): string {
  return `${level} ${id}`;
}

function planned({ decision, level }: LeveledDecision): PlannedRewrite {
  const priority = priorityOf(confidenceRange(decision));
  return { id: decision.id, level: level === "summary" ? "summary" : "digest", hash: decision.hash, priority };
}
