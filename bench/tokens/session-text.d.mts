export function sessionTexts(seed: number, characters?: number): string[];
export function sessionMessages(seed: number, count: number): { role: string; content: string }[];
