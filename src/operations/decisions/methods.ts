// The operations over a decision log as a server of JSON-RPC has them: their list, and one call. A write that did not take all
// it was sent says so, since nobody looks again at what was written.
import { CompactError } from "../../errors.ts";
import { misspelt } from "../../text/nearest-name.ts";
import { cutAt } from "../../text/quote.ts";
import { parameterPath, type Refusal, readParameters, type Sent } from "../read-parameters.ts";
import { type DecisionContext, type DecisionOperation, namesOf, snakeCase } from "./context.ts";
import {
  getCalibrationMethod,
  getCompactedMethod,
  getDecisionMethod,
  getWisdomMethod,
  queryDecisionsMethod,
} from "./reading.ts";
import { compactMethod, recordDecisionMethod, reviewDecisionMethod, setPreserveMethod } from "./writing.ts";

export const DECISION_METHODS: readonly DecisionOperation[] = [
  compactMethod,
  getCompactedMethod,
  setPreserveMethod,
  getWisdomMethod,
  recordDecisionMethod,
  reviewDecisionMethod,
  queryDecisionsMethod,
  getDecisionMethod,
  getCalibrationMethod,
];

type Given = Readonly<Record<string, unknown>>;

const MOST_FAULTS = 5;
/** Names that an answer lists. */
const MOST_IGNORED = 50;

/** Throws `InvalidInput` (`INVALID_PARAMS`), and what the operation throws. */
export async function runMethod(method: DecisionOperation, given: Given, context: DecisionContext): Promise<Given> {
  const { params, ignored } = readParams(method, given);
  const result = await method.run(params, context);
  return method.hints.isReadOnly || ignored.length === 0 ? result : { ...result, ignored };
}

interface ReadParams {
  readonly params: Given;
  /** What was sent and is no part of `params`, by its names. */
  readonly ignored: readonly string[];
}

/** Throws `InvalidInput` (`INVALID_PARAMS`). */
export function readParams(method: DecisionOperation, given: Given): ReadParams {
  const { params, read, unknown } = readParameters(method, sentIn(method, given), {
    blankIsAbsent: true,
    refuse: (refusal, others) => slipOf(method, others) ?? refusalOf(method, refusal),
  });
  const slip = slipOf(method, unknown);
  if (slip !== undefined) throw slip;
  const ignored = [...unknown.map(shown), ...droppedKeys(read, params)];
  return { params, ignored: [...new Set(ignored)].slice(0, MOST_IGNORED) };
}

/** All that is not null. Some clients put what restricts an answer into a block of its own. */
function sentIn({ params }: DecisionOperation, given: Given): Sent {
  const { filters, ...rest } = given;
  const hasBlock = !Object.hasOwn(params.shape, "filters") && isParent(filters) && !Array.isArray(filters);
  const blocks: readonly Given[] = hasBlock ? [rest, filters] : [given];
  return blocks.flatMap((block) => Object.entries(block)).filter(([, value]) => value !== undefined && value !== null);
}

function refusalOf({ name, params }: DecisionOperation, refusal: Refusal): CompactError {
  const see = `See the parameters of ${name}.`;
  switch (refusal.kind) {
    case "trial": {
      const remedy = Object.hasOwn(params.shape, "dryRun") ? "Send dryRun: true to try it" : "It knows no trials";
      const { key } = refusal;
      const hint = `${remedy}; leave ${key} out to carry it out.`;
      return refused(`${key} is not a parameter of ${name}; nothing was done.`, hint, [key]);
    }
    case "contradiction": {
      const { keys, parameter } = refusal;
      const what =
        keys.length === 1
          ? `${keys[0]} stands beside filters and in them, with another value`
          : `${keys.join(" and ")} are one parameter and say different things`;
      return refused(`${what}.`, `Send ${parameter} once. ${see}`, keys);
    }
    case "invalid": {
      const { issues, read } = refusal;
      const faults = issues.slice(0, MOST_FAULTS).map(({ path, message }) => {
        const isMissing = path.length === 1 && !Object.hasOwn(read, String(path[0]));
        return `${parameterPath(path)} ${isMissing ? "is required" : message}`;
      });
      const more = issues.length > faults.length ? `; and ${issues.length - faults.length} more` : "";
      const wrong = new Set(issues.map(({ path }) => String(path[0] ?? "")));
      return refused(`${faults.join("; ")}${more}`, see, [...wrong]);
    }
  }
}

function refused(message: string, hint: string, parameters: readonly string[]): CompactError {
  return new CompactError("InvalidInput", message, { code: "INVALID_PARAMS", hint, data: { parameters } });
}

// Keys that no parameter has. Most are ignored, since clients of other servers send some; one that is plainly a slip of the
// hand is refused: ignored, a trial would run for real.

/** More keys than any client sends by mistake. */
const MOST_LOOKED_AT = 200;
const LONGEST_KEY = 60;
/** Reasons are lists of objects: no parameter with a form of its own is deeper. */
const DEEPEST_KEY = 3;

function slipOf({ name, params }: DecisionOperation, unknown: readonly string[]): CompactError | undefined {
  const parameters = Object.keys(params.shape);
  const known = parameters.flatMap(namesOf);
  const slips = unknown.slice(0, MOST_LOOKED_AT).flatMap((key) => {
    const meant = RECORD_FIELDS.has(key) ? undefined : misspelt(key, known);
    if (meant === undefined) return [];
    return [{ key: shown(key), meant: parameters.find((one) => namesOf(one).includes(meant)) ?? meant }];
  });
  if (slips.length === 0) return undefined;
  const questions = slips.map(({ key, meant }) => `${key} is not a parameter, did you mean ${meant}?`);
  return refused(
    questions.slice(0, MOST_FAULTS).join(" "),
    `See the parameters of ${name}.`,
    slips.map(({ key }) => key),
  );
}

/** What a record of a decision holds, in either spelling. A client that sends a whole record has misspelt none of these. */
const RECORD_FIELDS: ReadonlySet<string> = new Set(
  [
    ...["id", "summary", "decision", "category", "confidence", "stakes", "status", "date", "createdAt", "context"],
    ...["reasons", "trace", "deliberation", "bridge", "relatedTo", "kpiIndicators", "mentalState", "reviewBy", "tags"],
    ...["pattern", "preDecision", "recordedBy", "project", "feature", "pr", "file", "line", "commit", "preserve"],
    ...["outcome", "reviewedAt", "actualResult", "lessons", "reviewNotes", "affectedKpis", "reviewedBy"],
    ...["supersedes", "supersededBy"],
  ].flatMap((field) => [field, snakeCase(field)]),
);

/** Places of what was sent and is not in what was read, as `reasons[0].weight`. */
function droppedKeys(sent: unknown, read: unknown, place = "", depth = 0): readonly string[] {
  if (depth > DEEPEST_KEY || !isParent(sent) || !isParent(read)) return [];
  return Object.keys(sent).flatMap((key) => {
    const inner = Array.isArray(sent) ? `${place}[${key}]` : `${place === "" ? "" : `${place}.`}${shown(key)}`;
    if (!Object.hasOwn(read, key)) return [inner];
    return droppedKeys(sent[key], read[key], inner, depth + 1);
  });
}

function shown(key: string): string {
  return key.length <= LONGEST_KEY ? key : `${cutAt(key, LONGEST_KEY)}...`;
}

function isParent(value: unknown): value is Given {
  return typeof value === "object" && value !== null;
}
