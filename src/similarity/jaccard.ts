// How alike two sets are, exactly. Alike is not the same: whether two texts may stand for each other is decided in
// same-fact.ts.

/** Shared elements over all elements, 0 to 1; two empty sets are alike in nothing: 0. */
export function exactJaccard(a: ReadonlySet<unknown>, b: ReadonlySet<unknown>): number {
  const shared = countShared(a, b);
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : shared / all;
}

/** Share of `part` that `whole` holds, 0 to 1; 0 for an empty part. */
export function containment(part: ReadonlySet<unknown>, whole: ReadonlySet<unknown>): number {
  return part.size === 0 ? 0 : countShared(part, whole) / part.size;
}

function countShared(a: ReadonlySet<unknown>, b: ReadonlySet<unknown>): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  let shared = 0;
  for (const element of small) if (large.has(element)) shared += 1;
  return shared;
}
