// Keys that no parameter has. Most are ignored, since clients of other servers send some; one that is plainly a slip of the
// hand is refused, as is a trial of what knows no trials: ignored, it would run for real what was only to be looked at.
import { CompactError } from "../../../errors.ts";
import { cutAt } from "../../../text/cut.ts";
import { misspelt } from "../../../text/nearest-name.ts";
import type { CstpMethod } from "../method.ts";
import { isRecordField, namesOf } from "./names.ts";

type Sent = readonly (readonly [string, unknown])[];

/** More keys than any client sends by mistake. */
const MOST_LOOKED_AT = 200;
const LONGEST_NAME = 60;
const MOST_FAULTS = 5;
/** Reasons are lists of objects: no parameter with a form of its own is deeper. */
const DEEPEST = 3;
const TRIAL = /^(?:dry|dry[-_ ]?run|preview|simulate|trial|what[-_]?if)$/i;

type Called = Pick<CstpMethod, "name" | "params" | "hints">;

/** `unknown`: what was sent under names that no parameter has. Throws `InvalidInput` (`INVALID_PARAMS`). */
export function refuseMisspelt(method: Called, unknown: Sent): void {
  const names = Object.keys(method.params.shape).flatMap((name) =>
    namesOf(name).map((known) => [known, name] as const),
  );
  const known = names.map(([one]) => one);
  const faults = unknown.slice(0, MOST_LOOKED_AT).flatMap(([key]) => {
    const meant = isRecordField(key) ? undefined : misspelt(key, known);
    return meant === undefined ? [] : [{ key, meant: names.find(([one]) => one === meant)?.[1] ?? meant }];
  });
  if (faults.length > 0) {
    const told = faults
      .slice(0, MOST_FAULTS)
      .map(({ key, meant }) => `${shown(key)} is not a parameter, did you mean ${meant}?`);
    throw refused(
      told.join(" "),
      `See the parameters of ${method.name}.`,
      faults.map(({ key }) => shown(key)),
    );
  }
  refuseTrial(method, unknown);
}

function refuseTrial({ name, params, hints }: Called, unknown: Sent): void {
  if (hints.isReadOnly) return;
  const [asked] = unknown.find(([key, value]) => TRIAL.test(key) && isOn(value)) ?? [];
  if (asked === undefined) return;
  const remedy = Object.hasOwn(params.shape, "dryRun") ? "Send dryRun: true to try it" : "It knows no trials";
  throw refused(
    `${asked} is not a parameter of ${name}; nothing was done.`,
    `${remedy}; leave ${asked} out to carry it out.`,
    [asked],
  );
}

function isOn(value: unknown): boolean {
  return !["", "0", "false", "null", "undefined"].includes(String(value).trim().toLowerCase());
}

function refused(message: string, hint: string, parameters: readonly string[]): CompactError {
  return new CompactError("InvalidInput", message, { code: "INVALID_PARAMS", hint, data: { parameters } });
}

/** Places of what was sent and is not in what was read, as `reasons[0].weight`. */
export function droppedKeys(sent: unknown, read: unknown, place = "", depth = 0): readonly string[] {
  if (depth > DEEPEST || !isParent(sent) || !isParent(read)) return [];
  return Object.keys(sent).flatMap((key) => {
    const inner = Array.isArray(sent) ? `${place}[${key}]` : `${place === "" ? "" : `${place}.`}${shown(key)}`;
    if (!Object.hasOwn(read, key)) return [inner];
    return droppedKeys(sent[key], read[key], inner, depth + 1);
  });
}

export function shown(key: string): string {
  return key.length <= LONGEST_NAME ? key : `${cutAt(key, LONGEST_NAME)}...`;
}

function isParent(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
