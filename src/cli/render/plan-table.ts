// A dry run's plan for a person: how many messages of which kind would stay, be shortened, or be summarized, and why.
import type { ConversationPlan, PlannedMessage } from "../../conversation/conversation-plan.ts";
import type { Colors } from "../terminal.ts";
import { figure, plural, renderTable } from "./table.ts";

const ACTIONS: Readonly<Record<PlannedMessage["action"], string>> = {
  pin: "pinned",
  keep: "kept",
  shorten: "shortened",
  repair: "repaired",
  summarize: "summarized",
};

export function renderPlan(plan: ConversationPlan, colors: Colors): string {
  const head = `${colors.bold("Plan")} for session ${plan.session_id} (${plan.format}), step ${plan.step}. Nothing was written.`;
  const size = `${plural(plan.message_count, "message")}, ${plural(plan.tokens_before, "token")}; budget ${figure(plan.budget)}, aim ${figure(plan.target)}`;
  if (!plan.triggered || plan.messages.length === 0) {
    return `${head}\n\n  ${size}\n  Nothing would be done: ${plan.reason.replaceAll("_", " ")}.\n`;
  }
  const rows = groups(plan.messages).map(({ action, role, why, count, tokens, numbers }) => [
    ACTIONS[action],
    role,
    why.replaceAll("_", " "),
    count,
    tokens,
    numbers,
  ]);
  const columns = [
    { title: "what" },
    { title: "role" },
    { title: "why" },
    { title: "messages", isNumber: true },
    { title: "tokens", isNumber: true },
    { title: "numbers", width: 40 },
  ];
  const outcome = `${plural(plan.pruned_count, "message")} would leave for a summary of at most ${plural(plan.summary_max_tokens, "token")}.`;
  const repairs = plan.repairs.length === 0 ? [] : [`  ${plural(plan.repairs.length, "repair")} of the damaged input.`];
  return `${[head, "", `  ${size}`, "", renderTable(columns, rows, colors), "", `  ${outcome}`, ...repairs].join("\n")}\n`;
}

interface PlanGroup {
  readonly action: PlannedMessage["action"];
  readonly role: string;
  readonly why: string;
  readonly count: number;
  readonly tokens: number;
  readonly numbers: string;
}

function groups(messages: readonly PlannedMessage[]): readonly PlanGroup[] {
  const order = Object.keys(ACTIONS);
  const byKind = new Map<string, PlannedMessage[]>();
  for (const message of messages) {
    const key = `${order.indexOf(message.action)} ${message.role} ${message.why}`;
    const known = byKind.get(key);
    if (known === undefined) byKind.set(key, [message]);
    else known.push(message);
  }
  return [...byKind.keys()].sort().flatMap((key) => {
    const members = byKind.get(key) ?? [];
    const [first] = members;
    if (first === undefined) return [];
    const tokens = members.reduce((sum, member) => sum + member.tokens, 0);
    return [
      {
        action: first.action,
        role: first.role,
        why: first.why,
        count: members.length,
        tokens,
        numbers: ranges(members.map(({ index }) => index + 1)),
      },
    ];
  });
}

/** `1, 4-7, 12` of ascending numbers. */
export function ranges(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last !== undefined && number === last[1] + 1) last[1] = number;
    else if (last?.[1] !== number) runs.push([number, number]);
  }
  return runs.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(", ");
}
