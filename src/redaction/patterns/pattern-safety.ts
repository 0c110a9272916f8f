// Whether a user's pattern could take exponential time: a repeated group that itself repeats or chooses inside.
// Deliberately stricter than needed; a refused pattern can always be written without the nesting.

const INNERMOST_GROUP = /\((?:\?(?:[:=!]|<[=!]|<\w{1,60}>))?([^()]*)\)([*+?]|\{\d{1,5},?\d{0,5}\})?/;
const RISKY = /[*+?|]|\{\d/;

/** True for `(a+)+`, `(a|b)*`, `((x?)y){2,}` and back-references: shapes that can blow up on hostile text. */
export function couldBlowUp(source: string): boolean {
  if (/\\[1-9k]/.test(source.replaceAll("\\\\", ""))) return true;
  // Escapes and classes are one character each here; what is left is groups, choices and repeats.
  let rest = source.replace(/\\[\s\S]/g, "a").replace(/\[[^\]]*\]/g, "a");
  for (let group = INNERMOST_GROUP.exec(rest); group !== null; group = INNERMOST_GROUP.exec(rest)) {
    const [whole, inside = "", repeat = ""] = group;
    const isRisky = RISKY.test(inside);
    if (isRisky && isLoop(repeat)) return true;
    rest =
      rest.slice(0, group.index) + (isRisky || repeat !== "" ? "a+" : "a") + rest.slice(group.index + whole.length);
  }
  return false;
}

function isLoop(repeat: string): boolean {
  if (repeat === "" || repeat === "?") return false;
  const bounds = /^\{(\d+)(,?)(\d*)\}$/.exec(repeat);
  if (bounds === null) return true;
  const most = bounds[2] === "" ? bounds[1] : bounds[3];
  return most === "" || Number(most) > 9;
}
