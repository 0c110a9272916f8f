// What every function over a decision log is given besides the log and its request.
import type { Trace } from "../trace/emit.ts";
import type { Policies } from "./levels/policy.ts";

export interface DecisionOptions {
  readonly policies: Policies;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly trace?: Pick<Trace, "emit"> | undefined;
}
