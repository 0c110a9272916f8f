// Whether the sections of a task state that have content are there, and whether each of their entries names a message.
import { STRATEGY_SHAPES } from "../../../src/summaries/digest/strategies.ts";

const TITLES = STRATEGY_SHAPES.task_state.sections.map(([, title]) => title);

export function readSections(
  text: string,
  content: readonly string[],
): { readonly of: number; readonly lost: readonly string[] } {
  const sections = new Map<string, string[]>();
  for (const summary of text.split("<COMPACT-SUMMARY").slice(1)) {
    let lines: string[] = [];
    for (const line of (summary.split("</COMPACT-SUMMARY")[0] ?? "").split("\n")) {
      const title = TITLES.find((known) => line === `## ${known}`);
      if (title !== undefined) {
        lines = sections.get(title) ?? [];
        sections.set(title, lines);
      } else lines.push(line);
    }
  }
  const titles = [...sections.keys()];
  const missing = content.filter((wanted) => !titles.some((title) => title.startsWith(wanted)));
  const uncited = [...sections].flatMap(([title, lines]) => uncitedEntries(title, lines));
  return { of: content.length + uncited.length, lost: [...missing.map((title) => `no section: ${title}`), ...uncited] };
}

/** A quote takes several lines, which may look like anything; the first names the message. Items of a plan stand under one. */
function uncitedEntries(title: string, lines: readonly string[]): readonly string[] {
  if (title.startsWith("State of the plan"))
    return lines.some((line) => /\[\d+\.\d+/.test(line)) ? [] : [`no citation (${title})`];
  if (title.startsWith("Goals")) return /^\s*- \[\d+\.\d+/.test(lines.join("\n")) ? [] : [`no citation (${title})`];
  return lines
    .filter((line) => /^(?:- |\[)/.test(line) && !/\[\d+\.\d+/.test(line))
    .map((line) => `no citation (${title}): ${line}`);
}
