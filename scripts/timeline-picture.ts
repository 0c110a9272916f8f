// docs/timeline.svg: the recorded run of scripts/record-timeline.ts as a viewer shows it.
import { readFileSync } from "node:fs";
import { drawTimeline } from "./draw-timeline.ts";

export const TIMELINE = "docs/reference/timeline.jsonl";

export function renderTimeline(): string {
  const lines = readFileSync(TIMELINE, "utf8").trimEnd().split("\n");
  return drawTimeline(
    lines.map((line): unknown => JSON.parse(line)),
    "One run: the model declines once, then answers",
  );
}
