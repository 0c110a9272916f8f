// A plan is plain data that a person can read and that may go to a file and back. What makes it one is the same in every
// memory: whose it is, its version, and a checksum that tells a plan that was edited from one that was reviewed.
import * as z from "zod/mini";
import { CompactError } from "../errors.ts";
import type { Part } from "../trace/compact-event.ts";
import { fingerprintOf } from "./staleness.ts";

/** Of the file: raised when plans of before can no longer be carried out as they were reviewed. */
const PLAN_VERSION = 2;

type PlanPart = Part | "conversation";

const NAMES: Readonly<Record<PlanPart, string>> = {
  conversation: "a conversation",
  observations: "observations",
  decisions: "decisions",
  memory_files: "memory files",
};

/** The fields that every plan begins with. */
export function planHeader<const Name extends PlanPart>(part: Name) {
  return {
    version: z.literal(PLAN_VERSION),
    /** The memory that it is of. */
    part: z.literal(part),
    /** SHA-256, 64 hex digits, of what may not be edited. No secret: it is against slips and changes that nobody reviewed. */
    checksum: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  };
}

interface PlanHeader {
  readonly version: typeof PLAN_VERSION;
  readonly part: PlanPart;
  readonly checksum: string;
}

type Unsealed<Plan> = Omit<Plan, keyof PlanHeader>;

interface PlanKind<Plan> {
  readonly part: PlanPart;
  /** Reads a plan; what it does not know it leaves out. Messages of its own checks go on after a field's name. */
  readonly schema: { safeParse(value: unknown): z.core.util.SafeParseResult<Plan> };
  /** What a person may change in it, as an error says it. Default: nothing. */
  readonly editable?: { readonly what: string; readonly without: (plan: Unsealed<Plan>) => object };
}

/** How plans of one kind are sealed when they are made, and read when they come back. */
export interface PlanFile<Plan> {
  seal(made: Unsealed<Plan>): Plan;
  /** @throws InvalidInput (`INVALID_PLAN`) for one that is broken, of another version or memory, or was edited. */
  read(value: unknown): Plan;
}

export function planFile<Plan extends PlanHeader>({ part, schema, editable }: PlanKind<Plan>): PlanFile<Plan> {
  const checksumOf = (plan: Unsealed<Plan>) =>
    fingerprintOf({ ...(editable?.without(plan) ?? plan), version: PLAN_VERSION, part, checksum: undefined });
  const again = `Make the plan again, and change nothing in it${editable === undefined ? "" : ` but ${editable.what}`}.`;
  return {
    seal: (made) => ({ version: PLAN_VERSION, part, ...made, checksum: checksumOf(made) }) as unknown as Plan,
    read(value) {
      refuseOther(value, part);
      const read = schema.safeParse(value);
      if (!read.success) throw refusal(`The plan cannot be read: ${issueText(value, read.error.issues[0])}.`, again);
      if (read.data.checksum === checksumOf(read.data)) return read.data;
      const allowed = editable === undefined ? "nothing in it may be changed" : `only ${editable.what} may be`;
      throw refusal(`The plan was edited: ${allowed}.`, again);
    },
  };
}

function refuseOther(value: unknown, wanted: PlanPart): void {
  const { version, part } = (value ?? {}) as { readonly version?: unknown; readonly part?: unknown };
  if (typeof version === "number" && version !== PLAN_VERSION)
    throw refusal(`The plan is of version ${version}; version ${PLAN_VERSION} is read.`, "Make the plan again.");
  if (typeof part !== "string" || part === wanted || !Object.hasOwn(NAMES, part)) return;
  throw refusal(
    `It is a plan of ${NAMES[part as PlanPart]}, not of ${NAMES[wanted]}.`,
    `Carry it out where plans of ${NAMES[part as PlanPart]} are, or make one of ${NAMES[wanted]}.`,
  );
}

function refusal(message: string, hint: string): CompactError {
  return new CompactError("InvalidInput", message, { code: "INVALID_PLAN", hint });
}

/** In our own words: the reader has a file before them and does not know the schema. */
function issueText(value: unknown, issue: z.core.$ZodIssue | undefined): string {
  const own = issue?.code === "custom" && issue.message !== "Invalid input" ? issue.message : undefined;
  if (issue === undefined || issue.path.length === 0) return own ?? "it is not an object with the fields of a plan";
  const field = issue.path.map(String).join(".");
  if (issue.code === "invalid_key") return `${field} ${issue.issues[0]?.message ?? "is no name"}`;
  if (own !== undefined) return `${field} ${own}`;
  const found = issue.path.reduce<unknown>(
    (inner, step) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, step) : undefined),
    value,
  );
  return found === undefined ? `${field} is missing` : `${field} is not what a plan has there`;
}
