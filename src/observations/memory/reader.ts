// Answers every question of the store contract by looking at the rows one by one.
import { readTime } from "../../time.ts";
import type { Observation } from "../observation.ts";
import type { DuplicateQuery, ObservationReader, StaleQuery, StaleSurvey } from "../observation-store.ts";
import { findRows } from "./find-rows.ts";
import { byId, byIdDown, isOf, latestFirst, newestFirst, pageAfter, stands } from "./order.ts";
import type { Tables } from "./tables.ts";

const MOST_UNREADABLE = 20;

export function createReader(tables: Tables): ObservationReader {
  const { observations, prompts, relations, sessions } = tables;
  const rowsWhere = (isWanted: (row: Observation) => boolean) => [...observations.values()].filter(isWanted);
  return {
    hasNamespaces: true,
    observations: async (ids) => ids.flatMap((id) => observations.get(id) ?? []),
    list: async ({ filter, standing, limit, offset }) =>
      newestFirst(rowsWhere((row) => isOf(row, filter) && stands(row, standing))).slice(offset, offset + limit),
    count: async (filter, standing) => rowsWhere((row) => isOf(row, filter) && stands(row, standing)).length,
    stale: async (query) => staleRows(rowsWhere(isLive), query),
    surveyStale: async (filter, bounds) =>
      survey(
        rowsWhere((row) => isLive(row) && isOf(row, filter)),
        bounds,
      ),
    search: async (query) => findRows(observations.values(), query),
    ofTopic: async (topicKey, project, scope, namespace) =>
      latestFirst(
        rowsWhere((row) => isLive(row) && row.topic_key === topicKey && isIn(row, { project, scope, namespace })),
        (row) => row.updated_at,
        byIdDown,
      )[0],
    equals: async (query, standing) => newestFirst(rowsWhere((row) => stands(row, standing) && isEqual(row, query))),
    async around(id, sessionId, before, after) {
      const ofSession = rowsWhere((row) => isLive(row) && row.session_id === sessionId).sort(byId);
      const earlier = ofSession.filter((row) => row.id < id);
      return {
        before: earlier.slice(Math.max(0, earlier.length - before)),
        after: ofSession.filter((row) => row.id > id).slice(0, after),
        total: ofSession.length,
      };
    },
    async relations(ids) {
      const wanted = new Set(ids);
      return [...relations.values()].filter((row) => wanted.has(row.from_id) || wanted.has(row.to_id)).sort(byId);
    },
    relation: async (id) => relations.get(id),
    session: async (id) => sessions.get(id),
    sessions: async ({ project, limit }) =>
      latestFirst(
        [...sessions.values()].filter((row) => project === undefined || row.project === project),
        (row) => row.started_at,
      ).slice(0, limit),
    prompts: async ({ project, namespace, limit }) =>
      newestFirst(
        [...prompts.values()].filter(
          (row) =>
            (project === undefined || row.project === project) &&
            (namespace === undefined || row.namespace === namespace),
        ),
      ).slice(0, limit),
    async totals() {
      const live = rowsWhere(isLive);
      return {
        sessions: sessions.size,
        observations: live.length,
        prompts: prompts.size,
        deleted: observations.size - live.length,
        relations: relations.size,
        projects: [...new Set(live.flatMap((row) => row.project ?? []))].sort(),
      };
    },
    sessionsAfter: async (id, limit) => pageAfter(sessions.values(), (row) => row.id, id, limit),
    observationsAfter: async (id, limit) => pageAfter(observations.values(), (row) => row.id, id, limit),
    promptsAfter: async (id, limit) => pageAfter(prompts.values(), (row) => row.id, id, limit),
    relationsAfter: async (id, limit) => pageAfter(relations.values(), (row) => row.id, id, limit),
  };
}

function isLive(row: Observation): boolean {
  return row.deleted_at === null;
}

function isIn(row: Observation, place: Pick<Observation, "project" | "scope" | "namespace">): boolean {
  return row.project === place.project && row.scope === place.scope && row.namespace === place.namespace;
}

function isEqual(row: Observation, query: DuplicateQuery): boolean {
  return (
    row.normalized_hash === query.normalized_hash &&
    row.type === query.type &&
    row.title === query.title &&
    isIn(row, query)
  );
}

function staleRows(live: readonly Observation[], { filter, before, limit, after }: StaleQuery): Observation[] {
  const dated = live.flatMap((row) => {
    const at = readTime(row.created_at);
    if (at === undefined || at >= before || !isOf(row, filter)) return [];
    const isLater = after === undefined || at > after.createdAt || (at === after.createdAt && row.id > after.id);
    return isLater ? [{ row, at }] : [];
  });
  dated.sort((first, second) => first.at - second.at || first.row.id - second.row.id);
  return dated.slice(0, limit).map(({ row }) => row);
}

function survey(rows: readonly Observation[], bounds: readonly number[]): StaleSurvey {
  const byAge = bounds.map(() => 0);
  const unreadable: number[] = [];
  for (const row of rows) {
    const at = readTime(row.created_at);
    if (at === undefined) unreadable.push(row.id);
    // Bounds descend: the last one that the row is before is the one it belongs to.
    const age = at === undefined ? -1 : bounds.findLastIndex((bound) => at < bound);
    if (age >= 0) byAge[age] = (byAge[age] ?? 0) + 1;
  }
  return {
    total: byAge.reduce((sum, count) => sum + count, 0),
    byAge,
    unreadable: {
      count: unreadable.length,
      ids: unreadable.sort((first, second) => first - second).slice(0, MOST_UNREADABLE),
    },
  };
}
