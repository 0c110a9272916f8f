// Records as they were read, under the places they stand at: which of several with one id is served, which decision took
// whose place, and what is not served as it should be. Knows nothing of files, levels or questions.
import type { RecordFault, StoredDecision } from "../decision.ts";
import { allInCircles, circleFault } from "../reading/circles.ts";
import type { ReadDecision } from "../reading/read-decision.ts";
import type { Journal } from "./journal.ts";
import { comparePositions, compareTexts } from "./order.ts";

export interface RecordIndex {
  /** With its supersession resolved across all records. */
  get(id: string): StoredDecision | undefined;
  /** Where the served record of an id stands. */
  placeOf(id: string): string | undefined;
  /** Sorted. */
  ids(): readonly string[];
  /** In the order of decision logs, resolved. */
  decisions(): readonly StoredDecision[];
  /** Sorted by id. */
  faults(): readonly RecordFault[];
  /** Undefined removes what stands there. */
  put(place: string, read: ReadDecision | undefined): void;
}

export function createRecordIndex(journal: Pick<Journal, "note">): RecordIndex {
  const records = new Map<string, ReadDecision>();
  const places = createPlaces();
  const claims = createClaims();
  let made: { ids?: readonly string[]; decisions?: readonly StoredDecision[]; faults?: readonly RecordFault[] } = {};

  const servedAt = (id: string) => {
    const place = places.first(id);
    return place === undefined ? undefined : records.get(place)?.decision;
  };
  const get = (id: string) => {
    const decision = servedAt(id);
    return decision === undefined ? undefined : claims.resolve(decision);
  };
  const set = (place: string, read: ReadDecision | undefined) => {
    const ids = new Set([records.get(place)?.decision?.id, read?.decision?.id].filter((id) => id !== undefined));
    for (const id of ids) claims.withdraw(servedAt(id));
    places.remove(records.get(place)?.decision?.id, place);
    if (read === undefined) records.delete(place);
    else records.set(place, read);
    places.add(read?.decision?.id, place);
    for (const id of ids) claims.make(servedAt(id));
    made = {};
  };
  const findFaults = () => {
    const own = [...records].flatMap(([place, { decision, faults }]): readonly RecordFault[] => {
      const isServed = decision === undefined || places.first(decision.id) === place;
      return isServed ? faults : [duplicate(decision.id, place)];
    });
    const successors = places.ids().flatMap((id) => {
      const by = get(id)?.supersededBy;
      return by === undefined ? [] : [[id, by] as const];
    });
    return [...own, ...allInCircles(new Map(successors)).map(circleFault)];
  };

  return {
    get,
    placeOf: places.first,
    ids: () => (made.ids ??= places.ids().sort(compareTexts)),
    decisions: () =>
      (made.decisions ??= places
        .ids()
        .flatMap((id) => get(id) ?? [])
        .sort(comparePositions)),
    faults: () => (made.faults ??= findFaults().sort(byIdAndMessage)),
    put(place, read) {
      const before = records.get(place);
      journal.note(() => set(place, before));
      set(place, read);
    },
  };
}

/** Which places hold an id; the one that sorts first is served. */
function createPlaces() {
  const byId = new Map<string, string[]>();
  return {
    ids: () => [...byId.keys()],
    first: (id: string) => byId.get(id)?.[0],
    add(id: string | undefined, place: string) {
      if (id === undefined) return;
      const known = byId.get(id);
      if (known === undefined) byId.set(id, [place]);
      else known.push(place);
      known?.sort(compareTexts);
    },
    remove(id: string | undefined, place: string) {
      if (id === undefined) return;
      const left = byId.get(id)?.filter((other) => other !== place) ?? [];
      if (left.length === 0) byId.delete(id);
      else byId.set(id, left);
    },
  };
}

/** Who claims to have taken the place of whom, whichever of the two came first. */
function createClaims() {
  const claimants = new Map<string, Set<string>>();
  const resolved = new WeakMap<StoredDecision, StoredDecision>();
  return {
    make(decision: StoredDecision | undefined) {
      for (const id of decision?.supersedes ?? []) {
        const known = claimants.get(id);
        if (known === undefined) claimants.set(id, new Set([decision?.id ?? ""]));
        else known.add(decision?.id ?? "");
      }
    },
    withdraw(decision: StoredDecision | undefined) {
      for (const id of decision?.supersedes ?? []) {
        const known = claimants.get(id);
        known?.delete(decision?.id ?? "");
        if (known?.size === 0) claimants.delete(id);
      }
    },
    /** What the record names goes first; of several claimants the one that sorts first. */
    resolve(decision: StoredDecision): StoredDecision {
      const known = claimants.get(decision.id);
      if (known === undefined || (decision.supersededBy ?? "") !== "") return decision;
      const supersededBy = [...known].sort(compareTexts)[0] ?? "";
      const before = resolved.get(decision);
      if (before?.supersededBy === supersededBy) return before;
      const now = { ...decision, supersededBy };
      resolved.set(decision, now);
      return now;
    },
  };
}

function duplicate(id: string, place: string): RecordFault {
  return { id, code: "DUPLICATE_ID", message: `${place} has the id of a record that comes before it.` };
}

function byIdAndMessage(first: RecordFault, second: RecordFault): number {
  return compareTexts(first.id, second.id) || compareTexts(first.message, second.message);
}
