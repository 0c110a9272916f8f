// Rounding as people do it on paper. Binary fractions lie a hair beside the decimal they stand for (1.005 is 1.00499...), and
// sums add more; both are far below the twelve digits that are looked at.

/** Half away from zero: 0.0625 is 0.063 at three decimals, -0.0625 is -0.063. Never -0. */
export function roundHalfUp(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  const whole = Math.floor(Number((Math.abs(value) * scale).toPrecision(12)) + 0.5);
  return whole === 0 ? 0 : (Math.sign(value) * whole) / scale;
}
