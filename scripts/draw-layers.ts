// Draws a conversation before and after compaction as two stacked bars, in SVG that reads on light and dark pages.

export interface Layer {
  readonly name: string;
  readonly tokens: number;
}

export interface Drawing {
  readonly before: readonly Layer[];
  readonly after: readonly Layer[];
  readonly messagesBefore: number;
  readonly messagesAfter: number;
}

const WIDTH = 760;
const LEFT = 90;
const BAR = { height: 46, width: WIDTH - LEFT - 20 };
const COLOURS = ["#7c6cd9", "#3b82c4", "#5aa469", "#c9a227"];

export function drawLayers({ before, after, messagesBefore, messagesAfter }: Drawing): string {
  const scale = BAR.width / total(before);
  const rows = [
    ...drawBar("before", before, 40, scale, messagesBefore),
    ...drawBar("after", after, 150, scale, messagesAfter),
    ...drawLegend(after, 222, COLOURS),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} 250" width="${WIDTH}" role="img" aria-label="${describe(before, after)}">`,
    "<style>text{font:13px system-ui,sans-serif;fill:#57606a}.on{fill:#fff}.name{font-weight:600}@media(prefers-color-scheme:dark){text{fill:#adbac7}.on{fill:#fff}}</style>",
    ...rows,
    "</svg>",
    "",
  ].join("\n");
}

function drawBar(
  name: string,
  layers: readonly Layer[],
  top: number,
  scale: number,
  messages: number,
): readonly string[] {
  const drawn = [`<text class="name" x="${LEFT - 12}" y="${top + 28}" text-anchor="end">${name}</text>`];
  let x = LEFT;
  for (const [index, layer] of layers.entries()) {
    const width = Math.max(2, layer.tokens * scale);
    drawn.push(
      `<rect x="${round(x)}" y="${top}" width="${round(width)}" height="${BAR.height}" fill="${COLOURS[index % COLOURS.length]}"/>`,
    );
    if (width > 90)
      drawn.push(`<text class="on" x="${round(x + 8)}" y="${top + 28}">${layer.name} ${grouped(layer.tokens)}</text>`);
    x += width;
  }
  drawn.push(`<text x="${LEFT}" y="${top - 10}">${grouped(total(layers))} tokens, ${messages} messages</text>`);
  return drawn;
}

function drawLegend(layers: readonly Layer[], top: number, colours: readonly string[]): readonly string[] {
  let x = LEFT;
  return layers.flatMap((layer, index) => {
    const label = `${layer.name} ${grouped(layer.tokens)}`;
    const drawn = [
      `<rect x="${x}" y="${top}" width="12" height="12" fill="${colours[index % colours.length]}"/>`,
      `<text x="${x + 18}" y="${top + 11}">${label}</text>`,
    ];
    x += 40 + label.length * 7;
    return drawn;
  });
}

function describe(before: readonly Layer[], after: readonly Layer[]): string {
  return `A conversation of ${grouped(total(before))} tokens becomes one of ${grouped(total(after))}`;
}

function total(layers: readonly Layer[]): number {
  return layers.reduce((sum, { tokens }) => sum + tokens, 0);
}

function grouped(tokens: number): string {
  return tokens.toLocaleString("en-US");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
