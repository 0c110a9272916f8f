// Where a statement may stand: rules and wishes are the user's alone, however a tool's text is worded, and an item of
// work says how it stands. What does not belong goes, or stands where it claims nothing.
import { subjectWords } from "../../language/subject-words.ts";
import type { NamedThing } from "./find-names.ts";
import type { Sources } from "./source-texts.ts";
import type { CheckedStatement } from "./statement.ts";

/** Share of a rule's words that the cited words of a user must hold. */
const RULE_SHARE = 0.5;
/** Of what a user said so much is compared, UTF-16 units a message. */
const COMPARED_UNITS = 8_000;
const STATUS =
  /^[*_[("]{0,3}(?:done|completed?|finished|in[ -]progress|ongoing|current(?: step)?|not[ -]started|todo|to[ -]do|pending|open|blocked|next|x)\b|^\s{0,3}(?:\[[ xX~/-]\]|✓|✔|✅|☑|⏳|🔄|🚧|❌|✗|⬜|☐|~~)|^(?:[*_]{0,2})(?:concluíd|feito|em andamento|não iniciad|hecho|completad|en curso|pendiente|no iniciad|fait|terminé|en cours|à faire|non commencé|erledigt|fertig|in arbeit|laufend|offen|nicht begonnen|已完成|完成|进行中|未开始|完了|進行中|未着手|완료|진행 중|미시작)/iu;

/** Undefined when the statement may not stand at all. */
export function guardSection(
  statement: CheckedStatement,
  names: readonly NamedThing[],
  sources: Sources,
): CheckedStatement | undefined {
  if (statement.section === "rules") return isUsersRule(statement, names, sources) ? statement : undefined;
  if (statement.section === "requests") {
    const isWish = statement.ids.some((id) => isUsers(id, sources)) && !namesToolsThing(statement, names, sources);
    return isWish ? statement : { ...statement, section: "progress" };
  }
  if (statement.section === "state") return withStatus(statement);
  return statement;
}

function isUsers(id: string, { ids }: Sources): boolean {
  const source = ids.get(id);
  return source === "user" || source === "record" || source === "note";
}

/** Names what a tool said and no person: whatever message is cited for it, it is nobody's wish. */
function namesToolsThing({ text }: CheckedStatement, names: readonly NamedThing[], { texts }: Sources): boolean {
  const isSaidBy = (value: string, isTool: boolean) =>
    texts.some(({ source, text }) => source !== "ledger" && (source === "tool") === isTool && text.includes(value));
  return names.some(({ value }) => text.includes(value) && isSaidBy(value, true) && !isSaidBy(value, false));
}

/** The user's words are carried by code, so a rule that only resembles them is no loss. */
function isUsersRule({ text, ids }: CheckedStatement, names: readonly NamedThing[], sources: Sources): boolean {
  const cited = new Set(ids.filter((id) => isUsers(id, sources)));
  if (cited.size === 0) return false;
  const said = sources.texts
    .filter(({ id, source }) => source === "record" || (id !== undefined && cited.has(id) && source !== "tool"))
    .map((source) => source.text.slice(0, COMPARED_UNITS))
    .join("\n");
  if (names.some(({ value }) => text.includes(value) && !said.includes(value))) return false;
  const words = [...subjectWords(text.replace(/\[[^\]\n]{0,100}\]/g, ""))];
  const spoken = subjectWords(said);
  return words.filter((word) => spoken.has(word)).length >= words.length * RULE_SHARE;
}

function withStatus(statement: CheckedStatement): CheckedStatement {
  return STATUS.test(statement.text.slice(0, 80))
    ? statement
    : { ...statement, text: `Status not stated: ${statement.text}` };
}
