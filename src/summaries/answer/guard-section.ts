// Where a statement may stand: rules and wishes are the user's alone, however a tool's text is worded.
import { type Name, topicOf } from "./claims.ts";
import type { Sources } from "./source-texts.ts";
import type { CheckedStatement } from "./statement.ts";

/** Share of a rule's words that the cited words of a user must hold. */
const RULE_SHARE = 0.5;
const SPOKEN_SHARE = 0.3;
/** Of what a user said so much is compared, UTF-16 units a message. */
const COMPARED_UNITS = 8_000;

/** A rule or wish that is no user's stands among the findings. */
export function inItsPlace(statement: CheckedStatement, names: readonly Name[], sources: Sources): CheckedStatement {
  const { section, ids } = statement;
  const isUsers =
    section === "rules"
      ? isUsersRule(statement, names, sources)
      : section !== "requests" || (ids.some((id) => isSaidByUser(id, sources)) && !namesToolsThing(names, sources));
  return isUsers ? statement : { ...statement, section: "progress" };
}

function isSaidByUser(id: string, { ids }: Sources): boolean {
  const source = ids.get(id);
  return source === "user" || source === "record" || source === "note";
}

/** Names what a tool said and no person: whatever message is cited for it, it is nobody's wish. */
function namesToolsThing(names: readonly Name[], { texts }: Sources): boolean {
  const isSaidBy = (value: string, isTool: boolean) =>
    texts.some(({ source, text }) => source !== "ledger" && (source === "tool") === isTool && text.includes(value));
  return names.some(({ value }) => isSaidBy(value, true) && !isSaidBy(value, false));
}

/** The user's words are carried by code, so a rule that only resembles them is no loss. */
function isUsersRule({ text, ids }: CheckedStatement, names: readonly Name[], sources: Sources): boolean {
  const cited = new Set(ids.filter((id) => isSaidByUser(id, sources)));
  if (cited.size === 0) return false;
  const said = sources.texts
    .filter(({ id, source }) => source === "record" || (id !== undefined && cited.has(id) && source === "user"))
    .map((source) => source.text.slice(0, COMPARED_UNITS))
    .join("\n");
  if (names.some(({ value }) => !said.includes(value))) return false;
  const words = [...topicOf(text.replace(/\[[^\]\n]{0,100}\]/gu, ""))];
  const spoken = topicOf(said);
  const shared = words.filter((word) => spoken.has(word)).length;
  // Few words of a user may be told in more.
  return shared >= words.length * RULE_SHARE || (shared > 0 && shared >= spoken.size * SPOKEN_SHARE);
}
