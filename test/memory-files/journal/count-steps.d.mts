/** `before(step, given)` runs before each step in `root`, `given` being its arguments; what it throws is what the step fails with. Returns how to stop it. */
export function countSteps(root: string, before: (step: string, given?: readonly unknown[]) => void): () => void;
