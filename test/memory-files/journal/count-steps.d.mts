/** `before(step)` runs before each step in `root`; what it throws is what the step fails with. Returns how to stop it. */
export function countSteps(root: string, before: (step: string) => void): () => void;
