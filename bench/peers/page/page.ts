// The comparison as a page: what was asked, the figures, where ours is behind, where a library failed.

import { table } from "../../page/markdown.ts";
import type { Listed, PeerCard } from "../run/jobs.ts";
import type { Measured } from "../run/walk.ts";
import type { LeftOut } from "../sessions/read-sessions.ts";
import type { Loss } from "../verdict/losses.ts";
import { failureSection } from "./failure-section.ts";
import { brokenSection, lossSection } from "./loss-section.ts";
import { method } from "./method.ts";
import { plantedSection, sessionSections } from "./session-sections.ts";
import { answersSection, summarySection } from "./summary-section.ts";

export interface Comparison {
  readonly listed: Listed;
  readonly measured: Measured;
  readonly leftOut: readonly LeftOut[];
  /** `2031-04-17`. */
  readonly date: string;
  readonly node: string;
  readonly minutes: number;
  /** Put together from the figures of so many runs. Default 1. */
  readonly runs?: number;
}

export function renderPage(comparison: Comparison, losses: readonly Loss[]): string {
  const { listed, measured, leftOut, date, node, minutes, runs = 1 } = comparison;
  const sections = [
    `# Side by side with other libraries

<!-- Written by \`npm run bench:peers\`; needs real sessions (\`AGENT_CORPUS\`). -->

What is left of real sessions when each library that one could pick makes them small, measured by one command on ${date} with Node ${node} (${minutes} minutes${runs === 1 ? "" : `, in ${runs} runs over different sessions`}). Nothing below is written by hand. Go straight to [where ours is behind](#where-ours-is-behind).

![Questions answered, by library and budget](comparison.svg)`,
    answersSection(measured),
    summarySection(measured),
    method(),
    settingsSection(listed),
    `## Each session\n\n${sessionSections(measured.sessions)}`,
    plantedSection(measured.planted),
    failureSection(measured.failures),
    lossSection(losses),
    brokenSection(measured),
    leftOutSection(leftOut),
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

function settingsSection({ peers, missing }: Listed): string {
  const rows = peers.map(({ name, version, habit, settings }: PeerCard) => [name, version, habit, settings]);
  const absent = missing.map(({ name, reason }) => [name, "-", "-", `not measured: ${reason}`]);
  return `## Libraries and their settings

"Each call": it is called before each model call on the whole history. "Persists": its result replaces the history.

${table(["library", "version", "called", "settings"], [...rows, ...absent])}`;
}

function leftOutSection(leftOut: readonly LeftOut[]): string {
  if (leftOut.length === 0) return "";
  const rows = leftOut.map(({ name, reason }) => [name, reason]);
  return `## Sessions left out\n\nToo small to compact (under 1,500 tokens, or one response), or no conversation.\n\n${table(["session", "why"], rows)}`;
}
