// How the work stands: decisions, the plan item by item, open and settled errors, commands with their outcome,
// and what the assistant reported. `scale` shortens their words where the room is scarce.
import { isProbe } from "../../facts/commands/command-text.ts";
import { cite, type DecisionFact, type Ledger, type StatementFact } from "../../facts/ledger.ts";
import { oneLine } from "../../facts/ledger-text.ts";
import { type DigestLine, orderOf, RANK } from "./digest-line.ts";

const RECENT_REPORTS = 10;
/** Errors of commands that never ran again stay open for ever; the newest are the ones that matter. */
const RECENT_ERRORS = 6;
const REPORT_UNITS = { recent: 300, older: 110 };

/** `[1.12] decision :: rationale :: inputs :: outputs`, as the spec's ledger has it, in the order they were made. */
export function decisionLines(ledger: Ledger, scale = 1): readonly DigestLine[] {
  return [...madeLines(ledger, scale), ...answerLines(ledger, scale)];
}

/** What a user approved, refused or corrected is a decision of theirs on what was proposed. */
function answerLines({ responses, decisions }: Ledger, scale: number): readonly DigestLine[] {
  const made = new Set(decisions.map(({ source }) => cite(source)));
  return responses.flatMap(({ form, about, text, source }) => {
    if (made.has(cite(source))) return [];
    const reason = about === undefined ? "no reason given" : `in answer to [${cite(about)}]`;
    const line = `[${cite(source)}] user ${form}: ${oneLine(text, 160 * scale)} :: ${reason} :: none :: none`;
    return [{ section: "decisions", rank: RANK.outcomes, order: orderOf(source), text: line } as const];
  });
}

function madeLines({ decisions }: Ledger, scale: number): readonly DigestLine[] {
  return decisions.map((fact) => {
    const rank = fact.supersededBy === undefined ? RANK.decisions : RANK.outcomes;
    return { section: "decisions", rank, order: orderOf(fact.source), text: decisionText(fact, scale) };
  });
}

function decisionText(fact: DecisionFact, scale: number): string {
  const instead = fact.alternatives.length === 0 ? "" : ` (instead of ${fact.alternatives.join(", ")})`;
  const by = fact.by === "user" ? "user: " : "";
  const fields = [
    `[${cite(fact.source)}] ${by}${oneLine(fact.text, 240 * scale)}${instead}`,
    oneLine(fact.rationale ?? "no reason given", 200 * scale),
    namesOf(fact.inputs, scale),
    namesOf(fact.outputs, scale),
  ];
  const gone = fact.supersededBy === undefined ? "" : ` (superseded, see [${cite(fact.supersededBy)}])`;
  return fields.join(" :: ") + gone;
}

function namesOf(names: readonly string[], scale: number): string {
  return (scale < 1 ? names.slice(0, 1) : names).join(", ") || "none";
}

const STATUS = { done: "done", in_progress: "in progress", not_started: "not started" } as const;

export function planLines({ plans }: Ledger): readonly DigestLine[] {
  return plans.flatMap((plan) =>
    plan.items.map((item, index) => {
      const evidence = item.evidence === undefined ? "" : ` [${cite(item.evidence)}]`;
      const text = `- ${STATUS[item.status]}: ${oneLine(item.text, 200)}${evidence}${index === 0 ? ` (${plan.from}, state of [${cite(plan.source)}])` : ""}`;
      return { section: "plan", rank: RANK.state, order: orderOf(plan.source) + index / 1000, text } as const;
    }),
  );
}

export function errorLines({ errors }: Ledger, scale = 1): readonly DigestLine[] {
  const open = errors.filter(({ status }) => status === "open");
  const recent = new Set(open.slice(-RECENT_ERRORS));
  return errors.map((fact) => {
    const order = orderOf(fact.source);
    const what = `${oneLine(fact.text, 220 * scale)} (${oneLine(fact.from, 100 * scale)}) [${cite(fact.source)}]`;
    if (fact.status === "open") {
      const rank = recent.has(fact) ? RANK.state : RANK.olderReports;
      return { section: "errors", rank, order, text: `- open: ${what}` };
    }
    const how = fact.fix === undefined ? "" : ` by ${oneLine(fact.fix, 160 * scale)}`;
    const at = fact.fixedAt === undefined ? "" : ` [${cite(fact.fixedAt)}]`;
    return { section: "errors", rank: RANK.outcomes, order, text: `- fixed${how}${at}: ${what}` };
  });
}

export function commandLines({ commands }: Ledger, scale = 1): readonly DigestLine[] {
  return commands.map((fact) => {
    const detail = fact.detail === undefined ? "" : `: ${oneLine(fact.detail, 160 * scale)}`;
    const runs = fact.runs > 1 ? `, ${fact.runs} runs` : "";
    const text = `- \`${oneLine(fact.command, 160 * scale)}\` ${fact.outcome}${detail}${runs} [${cite(fact.source)}]`;
    const rank = isProbe(fact.command) ? RANK.rare : fact.outcome === "failed" ? RANK.outcomes : RANK.olderReports;
    return { section: "commands", rank, order: orderOf(fact.source), text };
  });
}

/** The latest reports at length, older ones by their opening. */
export function reportLines({ statements }: Ledger, scale = 1): readonly DigestLine[] {
  return statements.map((fact, index) => {
    const isRecent = index >= statements.length - RECENT_REPORTS;
    const text = `- [${cite(fact.source)}]${guessMark(fact)} ${oneLine(fact.text, isRecent ? REPORT_UNITS.recent * scale : REPORT_UNITS.older)}`;
    return {
      section: "progress",
      // What was reached says more than what is under way.
      rank: fact.isStep === true ? RANK.reports + 0.5 : isRecent ? RANK.reports : RANK.olderReports,
      order: orderOf(fact.source),
      text,
    };
  });
}

function guessMark({ guess, isStep }: StatementFact): string {
  if (isStep === true) return " (under way)";
  if (guess === undefined) return "";
  const { evidence } = guess;
  return evidence === undefined
    ? " (a guess)"
    : ` (a guess; later output names ${evidence.name}, see [${cite(evidence.source)}])`;
}
