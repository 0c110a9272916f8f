// Cookies: in `Cookie:` and `Set-Cookie:` headers, and wherever a list of them is assigned to that name, the values of
// those that open a session go. A theme or a language stays.
import type { Find } from "./spans.ts";

export const COOKIE_WORD = "cookie";

const ASSIGNED = /cookie2?\\{0,32}["'`]?[ \t]{0,4}[:=,][ \t]{0,4}\\{0,32}["'`]?/iy;
const PAIR = /[ \t]{0,4}([\w.!#$%&*^|~+-]{1,80})=("?[^\s;,"'`\\<>]{0,4096})"?(;?)/y;
/** Attributes without a value: `HttpOnly; Secure`. */
const FLAG = /[ \t]{0,4}[A-Za-z-]{1,20}(;|(?=["'\s\\]|$))/y;
const SESSION =
  /sess|sid\b|sid$|auth|token|jwt|csrf|xsrf|login|remember|credential|identity|passport|secret|^(?:connect|user|id|cf_clearance|__cf_bm|laravel_|wordpress_|li_at|xs|c_user|datr)/i;
const MOST_PAIRS = 100;

/** `start`: where the word "cookie" stands. */
export function findCookies(text: string, start: number): readonly Find[] {
  ASSIGNED.lastIndex = start;
  return ASSIGNED.test(text) ? cookiesFrom(text, ASSIGNED.lastIndex) : [];
}

/** Reads `name=value; name=value` from `position` on. */
export function cookiesFrom(text: string, position: number): readonly Find[] {
  const finds: Find[] = [];
  let next = position;
  for (let pair = 0; pair < MOST_PAIRS; pair++) {
    PAIR.lastIndex = next;
    const match = PAIR.exec(text);
    if (match === null) {
      FLAG.lastIndex = next;
      if (!FLAG.test(text) || FLAG.lastIndex === next) break;
      next = FLAG.lastIndex;
      continue;
    }
    const [whole, name = "", written = "", semicolon = ""] = match;
    const value = written.replace(/^"/, "");
    const start = next + whole.indexOf("=") + 1 + (written.length - value.length);
    if (isSession(name, value)) finds.push({ rule: "session-cookie", start, end: start + value.length });
    next += whole.length;
    if (semicolon === "") break;
  }
  return finds;
}

function isSession(name: string, value: string): boolean {
  if (!SESSION.test(name) || value.length < 6) return false;
  return /\d/.test(value) && !/^[${<%]|\$\{|\{\{|^\d{1,13}$/.test(value) && !/[()[\]]/.test(value);
}
