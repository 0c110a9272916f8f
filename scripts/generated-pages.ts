// Lists the pages that are made by code, with the text that each should have. generate.ts writes or compares them.

import { requirementParts } from "../test/requirements/parts.ts";
import { renderConfigurationPage } from "./configuration-page.ts";
import { renderCstpPage } from "./cstp-page.ts";
import { renderEventPage } from "./event-page.ts";
import { renderExtendBlocks } from "./extend-page.ts";
import { renderLayerTable } from "./layers.ts";
import { renderMemoryBlocks } from "./memory-files-figures.ts";
import { renderPicture, renderReportBlock, renderSummaryBlock } from "./readme-figures.ts";
import { renderRequirementPage } from "./requirement-page.ts";
import { renderTimeline } from "./timeline-picture.ts";
import { renderToolCount, renderToolPage } from "./tool-page.ts";

export interface GeneratedPage {
  readonly path: string;
  /** The whole new text, from the current one (undefined when the file is absent). undefined: leave it alone. */
  readonly render: (current: string | undefined) => string | undefined | Promise<string | undefined>;
}

export const generatedPages: readonly GeneratedPage[] = [
  { path: "docs/reference/requirements.md", render: () => renderRequirementPage(requirementParts) },
  {
    path: "ARCHITECTURE.md",
    render: (current) => (current === undefined ? undefined : replaceBlock(current, "layers", renderLayerTable())),
  },
  {
    path: "README.md",
    render: async (current) => {
      if (current === undefined) return undefined;
      const blocks = new Map([
        ["summary", await renderSummaryBlock()],
        ["report", await renderReportBlock()],
        ["tools", await renderToolCount()],
      ]);
      return replaceBlocks(current, blocks);
    },
  },
  {
    path: "docs/guides/memory-files.md",
    render: async (current) => (current === undefined ? undefined : replaceBlocks(current, await renderMemoryBlocks())),
  },
  {
    path: "AGENTS.md",
    render: async (current) =>
      current === undefined ? undefined : replaceBlock(current, "tools", await renderToolCount()),
  },
  {
    path: "docs/extend.md",
    render: (current) => (current === undefined ? undefined : replaceBlocks(current, renderExtendBlocks())),
  },
  { path: "docs/tool-reference.md", render: renderToolPage },
  { path: "docs/reference/configuration.md", render: renderConfigurationPage },
  { path: "docs/reference/cstp.md", render: renderCstpPage },
  { path: "docs/reference/events.md", render: renderEventPage },
  { path: "docs/timeline.svg", render: renderTimeline },
  { path: "docs/before-after.svg", render: renderPicture },
];

function replaceBlocks(text: string, blocks: ReadonlyMap<string, string>): string {
  return [...blocks].reduce((page, [name, block]) => replaceBlock(page, name, block), text);
}

/** Replaces what stands between `<!-- name:start -->` and `<!-- name:end -->`. Throws when a marker is missing. */
export function replaceBlock(text: string, name: string, block: string): string {
  const start = `<!-- ${name}:start -->`;
  const end = `<!-- ${name}:end -->`;
  const from = text.indexOf(start);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`The markers ${start} and ${end} are missing`);
  return `${text.slice(0, from + start.length)}\n${block}\n${text.slice(to)}`;
}
