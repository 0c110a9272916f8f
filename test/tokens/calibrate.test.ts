import { describe, expect, it } from "vitest";
import { type Calibration, calibrate, UNCALIBRATED } from "../../src/tokens/budget.ts";

function calibrated(...reports: readonly (readonly [estimated: number, reported: number])[]): Calibration {
  return reports.reduce<Calibration>(
    (known, [estimated, reported]) => calibrate(known, estimated, reported),
    UNCALIBRATED,
  );
}

describe("calibrate", () => {
  it("follows reports that are 3.2 times the estimate, from the first one", () => {
    expect(calibrated([10_000, 32_000])).toEqual({ ratio: 3.2, reports: 1 });
    expect(calibrated([10_000, 32_000], [12_000, 38_400], [20_000, 64_000]).ratio).toBeCloseTo(3.2, 6);
  });

  it("takes the mean of the first reports, then follows slowly", () => {
    expect(calibrated([1_000, 1_000], [1_000, 2_000]).ratio).toBeCloseTo(1.5, 6);
    const settled = calibrated(...Array.from({ length: 20 }, () => [1_000, 1_200] as const));
    expect(calibrate(settled, 1_000, 2_000).ratio).toBeCloseTo(1.4, 6);
    let moved = settled;
    for (let report = 0; report < 30; report++) moved = calibrate(moved, 1_000, 900);
    expect(moved.ratio).toBeCloseTo(0.9, 2);
  });

  it.each([
    [10_000, 4_200_000],
    [10_000, 41_000],
    [10_000, 500],
    [10_000, 0],
    [10_000, -5],
    [10_000, Number.NaN],
    [10_000, Number.POSITIVE_INFINITY],
    [100, 120],
    [0, 50],
    [Number.NaN, 50],
  ])("learns nothing from %d estimated, %d reported", (estimated, reported) => {
    expect(calibrate(UNCALIBRATED, estimated, reported)).toBe(UNCALIBRATED);
  });

  it("stays within its bounds whatever is reported", () => {
    let known = UNCALIBRATED;
    for (const ratio of [4, 4, 4, 4, 4, 0.4, 0.4, 0.4, 0.4, 9, 0.1]) {
      known = calibrate(known, 1_000, 1_000 * ratio);
      expect(known.ratio).toBeGreaterThanOrEqual(0.4);
      expect(known.ratio).toBeLessThanOrEqual(4);
    }
  });
});
