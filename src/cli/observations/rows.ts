// `agent-compact observations search, show, stats, restore`: finds rows, shows one or counts them all, and brings back what
// was compacted. Search finds rows by their words.
import { restoredLines, restoreObservations } from "../../observations/compaction/restore-observations.ts";
import { getObservation } from "../../observations/reading/get-observation.ts";
import { memoryStats } from "../../observations/reading/memory-overview.ts";
import { SNIPPET_LENGTH, snippetOf } from "../../observations/reading/row-view.ts";
import {
  type FoundObservation,
  type SearchedObservations,
  searchObservations,
} from "../../observations/reading/search-observations.ts";
import { REMEMBERED_BY } from "../../observations/saving/remember-session.ts";
import { figure, plural } from "../../text/figures.ts";
import { badFlag, shellWord } from "../flags.ts";
import { oneLine, renderTable, right } from "../render.ts";
import { printResult } from "../report.ts";
import type { Colors, Terminal } from "../terminal.ts";
import { readIdWords, type StoreFlags, unknownProject, withStore } from "./open-store.ts";
import type { RestoreFlags, SearchFlags } from "./program.ts";

const DEFAULT_LIMIT = 20;

export async function searchRows(words: readonly string[], flags: SearchFlags, terminal: Terminal): Promise<void> {
  const { project, scope, namespace, type, limit = DEFAULT_LIMIT } = flags;
  const isCompacted = flags.compacted === true;
  await withStore(flags, terminal, {}, async ({ store, flag }) => {
    const searched = await searchObservations(store, {
      query: words.join(" "),
      project,
      scope,
      namespace,
      type,
      limit,
      standing: isCompacted ? "deleted" : "live",
    });
    const { found, total, isBounded, deletedMatches, loosely } = searched;
    const result = {
      total,
      with_all_words: loosely?.withAllWords ?? total,
      unknown_words: loosely?.unknownWords ?? [],
      shown: found.length,
      is_bounded: isBounded,
      deleted_matches: deletedMatches,
      observations: found.map(({ observation, compactedInto, place, origin }) => ({
        ...observation,
        compacted_into: compactedInto,
        snippet: snippetOf(observation.content, SNIPPET_LENGTH, place),
        ...(origin === undefined ? {} : { origin: origin.id }),
      })),
    };
    const unknown = found.length === 0 ? await unknownProject(store, project) : "";
    printResult(result, (colors) => renderFound(searched, { flag, isCompacted }, colors) + unknown, flags, terminal);
  });
}

interface FoundView {
  /** The flag that finds the database again. */
  readonly flag: string;
  readonly isCompacted: boolean;
}

function renderFound(searched: SearchedObservations, { flag, isCompacted }: FoundView, colors: Colors): string {
  const { found, total, isBounded, deletedMatches, loosely } = searched;
  if (found.length === 0) {
    const elsewhere =
      deletedMatches > 0 ? ` ${plural(deletedMatches, "compacted or deleted row")} would match: --compacted.` : "";
    return `Nothing found.${elsewhere}\n`;
  }
  const lines = found.map((each) => renderRow(each, colors));
  const size = isBounded
    ? `The newest rows were looked at or ranked, ${figure(found.length)} are shown.`
    : `${figure(found.length)} of ${plural(total, "row")} shown.`;
  const how = isCompacted
    ? ` To bring one back: ${colors.cyan(`agent-compact observations restore ${found[0]?.observation.id}${flag}`)}`
    : "";
  const all = loosely?.withAllWords ?? total;
  const words =
    all === total ? "" : all === 0 ? " None has all of the words." : ` ${figure(all)} with all of the words.`;
  const unknown = loosely?.unknownWords.length ? ` No row has: ${loosely.unknownWords.join(", ")}.` : "";
  return `${lines.join("\n")}\n\n${size}${words}${unknown}${how}\n`;
}

function renderRow({ observation, compactedInto, place, origin }: FoundObservation, colors: Colors): string {
  const { id, type, title, content, project, created_at, deleted_at } = observation;
  const [successor] = compactedInto;
  const standing = deleted_at === null ? "" : successor === undefined ? "  deleted" : `  compacted into ${successor}`;
  const head = `${colors.cyan(`#${id}`)} ${colors.bold(oneLine(title))}`;
  const about = [type, project ?? "", created_at.slice(0, 10)]
    .map(oneLine)
    .filter((part) => part !== "")
    .join("  ");
  const from = origin === undefined ? "" : `\n  from ${colors.cyan(`#${origin.id}`)} ${oneLine(origin.title)}`;
  return `${head}  ${colors.dim(about)}${colors.yellow(standing)}\n  ${snippetOf(content, SNIPPET_LENGTH, place)}${from}`;
}

export async function showRow(word: string, flags: StoreFlags, terminal: Terminal): Promise<void> {
  const [id = 0] = readIdWords([word]);
  await withStore(flags, terminal, {}, async ({ store, count }) => {
    const { observation, compactedFrom, compactedInto } = await getObservation(store, { id, includeCompacted: true });
    const tokens = count(`${observation.title}\n${observation.content}`);
    const { type, title, project, scope, topic_key, created_at, updated_at, deleted_at } = observation;
    const isRemembered = observation.tool_name === REMEMBERED_BY;
    const from = `From session ${observation.session_id}: agent-compact session show ${shellWord(observation.session_id)}`;
    const about = [
      type,
      project ?? "no project",
      scope,
      ...(topic_key === null ? [] : [topic_key]),
      `${tokens} tokens`,
    ];
    const standing =
      deleted_at === null
        ? ""
        : compactedInto.length === 0
          ? ", deleted"
          : `, compacted into ${compactedInto.join(", ")}`;
    printResult(
      { ...observation, tokens, compacted_from: compactedFrom, compacted_into: compactedInto },
      (colors) =>
        [
          `${colors.cyan(`#${id}`)} ${colors.bold(oneLine(title))}`,
          colors.dim(about.map(oneLine).join(" · ")),
          colors.dim(`created ${created_at}, updated ${updated_at}${standing}`),
          ...(isRemembered ? [oneLine(from)] : []),
          ...(compactedFrom.length === 0 ? [] : [`Stands for ${compactedFrom.join(", ")}`]),
          "",
          observation.content,
          "",
        ].join("\n"),
      flags,
      terminal,
    );
  });
}

export async function showStats(flags: StoreFlags, terminal: Terminal): Promise<void> {
  await withStore(flags, terminal, {}, async ({ store, shown, count }) => {
    const stats = await memoryStats(store, { count, perProject: true });
    printResult(
      { db: shown, ...stats },
      (colors) => {
        const rows = [
          ["live observations", stats.observations],
          [stats.tokens_estimated === true ? "  their tokens, about" : "  their tokens", stats.tokens ?? 0],
          ["  of them summaries", stats.summaries],
          ["compacted or deleted", stats.deleted],
          ["relations", stats.relations],
          ["sessions", stats.sessions],
          ["user prompts", stats.prompts],
        ];
        const table = renderTable(["", right("")], rows, colors);
        const counts = new Map(stats.by_project?.map(({ project, observations }) => [project, observations]));
        const named = stats.projects.map((name) => oneLine(name) + (counts.has(name) ? ` (${counts.get(name)})` : ""));
        const projects = named.length === 0 ? "none" : named.join(", ");
        return `${colors.bold(shown)}\n${table}\nProjects: ${projects}\n`;
      },
      flags,
      terminal,
    );
  });
}

export async function restoreRows(words: readonly string[], flags: RestoreFlags, terminal: Terminal): Promise<void> {
  if ((words.length === 0) === (flags.summary === undefined))
    throw badFlag("Name the rows to bring back, or with --summary the row that stands for them.");
  const ids = words.length === 0 ? undefined : readIdWords(words);
  await withStore(flags, terminal, {}, async ({ store, trace }) => {
    const result = await restoreObservations(store, { ids, summaryId: flags.summary }, { now: Date.now(), trace });
    const { restored, retired, remaining, empty, sameTopic } = result;
    const record = {
      restored,
      retired,
      remaining: remaining.map(({ id, standsFor }) => ({ id, stands_for: standsFor })),
      empty,
      same_topic: sameTopic,
    };
    printResult(record, () => `${restoredLines(result).join("\n")}\n`, flags, terminal, { isReport: true });
  });
}
