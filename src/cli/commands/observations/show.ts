// `agent-compact observations show`: one row whole, deleted or not, with what it stands for and what stands for it.
import { getObservation } from "../../../observations/reading/get-observation.ts";
import { type StoreFlags, withStore } from "../../open-store.ts";
import { printResult } from "../../print-result.ts";
import { oneLine } from "../../render/table.ts";
import type { Terminal } from "../../terminal.ts";
import { readIdWords } from "./read-id-words.ts";

export async function showRow(word: string, flags: StoreFlags, terminal: Terminal): Promise<void> {
  const [id = 0] = readIdWords([word]);
  await withStore(flags, terminal, {}, async ({ store, count }) => {
    const { observation, compactedFrom, compactedInto } = await getObservation(store, { id, includeCompacted: true });
    const tokens = count(`${observation.title}\n${observation.content}`);
    const { type, title, project, scope, topic_key, created_at, updated_at, deleted_at } = observation;
    const about = [
      type,
      project ?? "no project",
      scope,
      ...(topic_key === null ? [] : [topic_key]),
      `${tokens} tokens`,
    ];
    const standing =
      deleted_at === null
        ? ""
        : compactedInto.length === 0
          ? ", deleted"
          : `, compacted into ${compactedInto.join(", ")}`;
    printResult(
      { ...observation, tokens, compacted_from: compactedFrom, compacted_into: compactedInto },
      (colors) =>
        [
          `${colors.cyan(`#${id}`)} ${colors.bold(oneLine(title))}`,
          colors.dim(about.map(oneLine).join(" · ")),
          colors.dim(`created ${created_at}, updated ${updated_at}${standing}`),
          ...(compactedFrom.length === 0 ? [] : [`Stands for ${compactedFrom.join(", ")}`]),
          "",
          observation.content,
          "",
        ].join("\n"),
      flags,
      terminal,
    );
  });
}
