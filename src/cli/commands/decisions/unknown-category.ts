// What to say of a category that no decision has.
import type { DecisionLog } from "../../../decisions/decision-log.ts";
import type { DecisionOptions } from "../../../decisions/decision-options.ts";
import { otherCategories, sameButCase } from "../../../decisions/serving/other-categories.ts";
import { shortLine } from "../../render/decisions/wrap.ts";
import { figure } from "../../render/table.ts";

const MOST_NAMED = 12;
const LONGEST_NAME = 40;

/** Empty where some decision has it, where none was asked for, and in an empty log. */
export async function unknownCategory(
  log: DecisionLog,
  category: string | undefined,
  options: DecisionOptions,
): Promise<string> {
  const known = await otherCategories(log, category, options);
  if (category === undefined || known.length === 0) return "";
  const same = sameButCase(category, known);
  const meant = same === undefined ? "" : ` Did you mean ${shortLine(same, LONGEST_NAME)}?`;
  const names = known.slice(0, MOST_NAMED).map((name) => shortLine(name, LONGEST_NAME));
  const more = known.length > names.length ? ` and ${figure(known.length - names.length)} more` : "";
  return `No decision has the category ${shortLine(category, LONGEST_NAME)}.${meant} There are: ${names.join(", ")}${more}.`;
}
