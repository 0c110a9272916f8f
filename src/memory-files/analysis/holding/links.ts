// Links that may lead elsewhere from another file.

/** A reference, or a footnote: what it means, a definition elsewhere tells. */
const REFERENCE = /\]\[|\[\^|^[ \t>]{0,99}\[[^\]\n]{1,300}\]:/m;
/** With definitions about, any words in brackets may be a link; the box of a task is none. */
const BRACKETS = /(?<!^[ \t>]{0,99}(?:[-+*]|\d{1,9}[.)])[ \t]{1,9})\[[^\]\n]{1,300}\](?!\()/m;
const TARGET = /\]\([ \t]{0,9}<?([^)\s>]{0,500})/g;
const ATTRIBUTE = /\b(?:src|href)[ \t]{0,9}=[ \t]{0,9}["']?([^"'\s>]{0,500})/gi;
const ANYWHERE = /^(?:https?:|mailto:|#)/i;
const ANCHORED = /\]\(#|href=["']?#/i;

export function bindsLink(text: string, hasDefinitions: boolean): boolean {
  return REFERENCE.test(text) || (hasDefinitions && BRACKETS.test(text));
}

export function hasRelativeLink(text: string): boolean {
  return [TARGET, ATTRIBUTE].some((pattern) =>
    [...text.matchAll(pattern)].some(([, target = ""]) => !ANYWHERE.test(target)),
  );
}

/** A link to a heading of the same file. */
export function hasAnchorLink(text: string): boolean {
  return ANCHORED.test(text);
}
