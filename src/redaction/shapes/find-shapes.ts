// All shapes as one table, and the try of one of them where its keyword stands.
import type { Find } from "../spans.ts";
import { cloudShapes, platformShapes } from "./cloud-shapes.ts";
import { developerShapes, toolShapes } from "./developer-shapes.ts";
import { addressShapes, commandShapes, fileShapes, headerShapes, tokenShapes } from "./general-shapes.ts";
import type { ShapeRule } from "./shape-rule.ts";
import { messagingShapes, modelProviderShapes, paymentShapes } from "./vendor-shapes.ts";

/** Characters before a keyword that are looked at. */
const FARTHEST_BEHIND = 100;

export function createShapeRules(): readonly ShapeRule[] {
  return [
    ...cloudShapes(),
    ...platformShapes(),
    ...developerShapes(),
    ...toolShapes(),
    ...modelProviderShapes(),
    ...messagingShapes(),
    ...paymentShapes(),
    ...tokenShapes(),
    ...addressShapes(),
    ...headerShapes(),
    ...commandShapes(),
    ...fileShapes(),
  ];
}

/** `keywordStart`: where one of the rule's keywords stands. */
export function findShape(text: string, rule: ShapeRule, keywordStart: number): Find | undefined {
  const { id, pattern, behind, accepts } = rule;
  pattern.lastIndex = behind === undefined ? keywordStart : startBehind(text, keywordStart, behind);
  const match = pattern.exec(text);
  const range = match?.indices?.[1] ?? match?.indices?.[0];
  if (range === undefined) return undefined;
  const [start, end] = range;
  if (accepts !== undefined && !accepts(text.slice(start, end))) return undefined;
  return { rule: id, start, end };
}

function startBehind(text: string, keywordStart: number, behind: RegExp): number {
  let start = keywordStart;
  const farthest = Math.max(0, keywordStart - FARTHEST_BEHIND);
  while (start > farthest && behind.test(text[start - 1] ?? "")) start--;
  return start;
}
