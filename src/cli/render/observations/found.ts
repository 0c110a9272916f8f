// What a search found, for a person: a line that names the row, and the beginning of its text.
import type { FoundObservation, SearchedObservations } from "../../../observations/reading/search-observations.ts";
import { snippetOf } from "../../../observations/reading/snippet.ts";
import type { Colors } from "../../terminal.ts";
import { figure, oneLine, plural } from "../table.ts";

export interface FoundView {
  /** The flag that finds the database again. */
  readonly flag: string;
  readonly isCompacted: boolean;
}

export function renderFound(searched: SearchedObservations, { flag, isCompacted }: FoundView, colors: Colors): string {
  const { found, total, isBounded, deletedMatches } = searched;
  if (found.length === 0) {
    const elsewhere =
      deletedMatches > 0 ? ` ${plural(deletedMatches, "compacted or deleted row")} would match: --compacted.` : "";
    return `Nothing found.${elsewhere}\n`;
  }
  const lines = found.map((each) => renderRow(each, colors));
  const size = isBounded
    ? `The newest rows were looked at or ranked, ${figure(found.length)} are shown.`
    : `${figure(found.length)} of ${plural(total, "row")} shown.`;
  const how = isCompacted
    ? ` To bring one back: ${colors.cyan(`agent-compact observations restore ${found[0]?.observation.id}${flag}`)}`
    : "";
  return `${lines.join("\n")}\n\n${size}${how}\n`;
}

function renderRow({ observation, compactedInto }: FoundObservation, colors: Colors): string {
  const { id, type, title, content, project, created_at, deleted_at } = observation;
  const [successor] = compactedInto;
  const standing = deleted_at === null ? "" : successor === undefined ? "  deleted" : `  compacted into ${successor}`;
  const head = `${colors.cyan(`#${id}`)} ${colors.bold(oneLine(title))}`;
  const about = [type, project ?? "", created_at.slice(0, 10)]
    .map(oneLine)
    .filter((part) => part !== "")
    .join("  ");
  return `${head}  ${colors.dim(about)}${colors.yellow(standing)}\n  ${snippetOf(content)}`;
}
