// What a picture costs, from its size in pixels: never from the length of its base64.

const FLAT_COST = 1_000;
const LEAST_COST = 85;
const MOST_COST = 5_000;

/**
 * Tokens of one image. With a known size, the larger of two published rules, between 85 and 5,000:
 * OpenAI's tiles (fit into 2,048 x 2,048, short side down to 768, 85 + 170 per started 512-pixel tile) and
 * Anthropic's area (long side down to 1,568, width x height / 750). With an unknown size, 1,000.
 * One rule for all providers, so that trigger, cut and report agree.
 */
export function countImage(width: number | undefined, height: number | undefined): number {
  if (!isPixels(width) || !isPixels(height)) return FLAT_COST;
  const cost = Math.max(tileCost(width, height), areaCost(width, height));
  return Math.min(MOST_COST, Math.max(LEAST_COST, cost));
}

function isPixels(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value) && value > 0;
}

function tileCost(width: number, height: number): number {
  const fit = Math.min(1, 2_048 / Math.max(width, height));
  const scale = fit * Math.min(1, 768 / (Math.min(width, height) * fit));
  return 85 + 170 * Math.ceil((width * scale) / 512) * Math.ceil((height * scale) / 512);
}

function areaCost(width: number, height: number): number {
  const scale = Math.min(1, 1_568 / Math.max(width, height));
  return Math.ceil((width * scale * height * scale) / 750);
}
