// Sections that look like what the memory says, and say something else; sections that look different, and say the same.

export interface Lookalike {
  readonly memory: string;
  readonly note: string;
}

const pair = (memory: string, note: string): Lookalike => ({ memory, note });
/** The same section with one text in it, in the memory and in the note. */
const inside = (memory: string, note: string): Lookalike => pair(`## Facts\n\n${memory}\n`, `## Facts\n\n${note}\n`);

export const DIFFERENT: Readonly<Record<string, readonly Lookalike[]>> = {
  "a negation": [
    inside(
      "Deploys on Friday are allowed after 15:00 for team Ops and Data",
      "Deploys on Friday are not allowed after 15:00 for team Ops and Data",
    ),
    inside("周五可以部署到生产环境", "周五不可以部署到生产环境"),
    inside("备份已经完成并且验证", "备份没有完成并且验证"),
    inside("密钥已轮换并且通知审计", "密钥未轮换并且通知审计"),
    inside("- the cache is shared\n- ~~the queue is shared~~", "- the cache is shared\n- the queue is shared"),
    inside("Tokens expire", "Tokens never expire"),
  ],
  "a host": [
    inside("prod db host is db-1.internal", "staging db host is db-2.internal"),
    pair("## Staging\n\n- host is db-1\n\n## Production\n\n- host is db-2\n", "## Production\n\n- host is db-1\n"),
    pair("## Staging\n\n### Hosts\n\n- host is db-1\n", "## Production\n\n### Hosts\n\n- host is db-1\n"),
    pair("## Staging\n\n- host is db-1\n", "## Notes\n\n- host is db-1\n"),
    pair("# Staging\n\n## Hosts\n\n- host is db-1\n", "## Hosts\n\n- host is db-1\n"),
    pair("Staging\n-------\n\n- host is db-1\n", "## Notes\n\n- host is db-1\n"),
    inside(
      "- Staging\n\n  host is db-1\n\n- Production\n\n  host is db-2",
      "- Staging\n\n  host is db-2\n\n- Production\n\n  host is db-1",
    ),
    inside("- Staging\n  - db-1\n- Production\n  - db-2", "- Staging\n  - db-2\n- Production\n  - db-1"),
    inside("**Staging**\n\n- db-1\n\n**Production**\n\n- db-2", "**Staging**\n\n- db-2\n\n**Production**\n\n- db-1"),
  ],
  "a number": [
    inside("limit is 500 calls", "limit is 50 calls"),
    inside("listens on port 8080", "listens on port 9090"),
    inside("The chapter has fifteen pages", "The chapter has sixteen pages"),
    inside("Uploads up to 5 MB", "Uploads up to 5 GB"),
    inside("It costs $5", "It costs €5"),
    inside("It grew by 5%", "It grew by 5"),
    inside("The offset is -1", "The offset is 1"),
    inside("Needs version 1.2.3-beta", "Needs version 1.2.3"),
    inside("1. stop the server\n2. delete the folder", "1. delete the folder\n2. stop the server"),
    inside("from 5 to 7", "from 7 to 5"),
  ],
  "a date": [
    inside("The freeze starts on 2031-03-01", "The freeze starts on 2031-03-02"),
    inside("The freeze starts on March 1", "The freeze starts on March 2"),
    pair("## Plan\n\n- we chose redis\n", "## 2031-02-03\n\n- we chose redis\n"),
  ],
  "who does what": [
    inside("alice manages bob", "bob manages alice"),
    inside("use redis instead of valkey", "use valkey instead of redis"),
    pair("## Billing\n\n- Owner: Mia\n\n## Search\n\n- Owner: Noa\n", "## Search\n\n- Owner: Mia\n"),
  ],
  "a task": [
    inside("- [ ] rotate the keys", "- [x] rotate the keys"),
    inside("- [x] rotate the keys", "- [-] rotate the keys"),
    inside("- rotate the keys", "- rotate the keys\n- tell the auditors"),
    inside("- rotate the keys", "- TODO rotate the keys"),
  ],
  code: [
    inside("Run `tar -v`", "Run `tar -V`"),
    inside("Call `getUser`", "Call `getuser`"),
    inside("```sh\ntar -v\n```", "```sh\ntar -V\n```"),
    inside("```py\nif a:\n  b()\n```", "```py\nif a:\nb()\n```"),
    inside("    tar -v", "    tar -V"),
    inside("- run\n\n  ```sh\n  tar -v\n  ```", "- run\n\n  ```sh\n  tar -V\n  ```"),
    inside("Never run\n\n```\nrm -rf build\n```", "Run\n\n```\nrm -rf build\n```"),
    inside("<!--\n\nthe queue is shared\n\n-->", "the queue is shared"),
    inside("```\nthe queue is shared\n```", "the queue is shared"),
  ],
  "a table": [
    inside("| host | port |\n|---|---|\n| a | 1 |\n| b | 2 |", "| host | port |\n|---|---|\n| a | 2 |\n| b | 1 |"),
    inside("| host | port |\n|---|---|\n| a | |", "| host | port |\n|---|---|\n| | a |"),
  ],
  "what it stands under": [
    pair("## Rejected\n\n- the cache is redis\n", "## Notes\n\n- the cache is redis\n"),
    pair("## Decisions\n\n### Rejected\n\n- the cache is redis\n", "## Decisions\n\n- the cache is redis\n"),
    pair("## Rejected\n\n### Cache\n\n- it is redis\n", "### Cache\n\n- it is redis\n"),
    pair("Rejected\n---\n\n- the cache is redis\n", "## Cache\n\n- the cache is redis\n"),
    inside("Never do:\n\n- deploy late", "Always do:\n\n- deploy late"),
    inside("Never do:\n\n- deploy late", "- deploy late"),
    inside("- when it is late:\n  - deploy", "- deploy"),
    inside("> deploy late", "deploy late"),
    inside("The first plan.\n\nIt failed.\n\nThe other plan.\n\nIt worked.", "The first plan.\n\nIt worked."),
    pair(
      "## Alpha\n\n### Config\n\n- port is 1\n\n## Omega\n\n### Config\n\n- debug is on\n",
      "### Config\n\n- port is 1\n- debug is on\n",
    ),
    pair("## Omega\n\n- the cache is redis\n", "## Gamma\n\n- the cache is redis\n"),
    pair("## Omega\n\n- the cache is redis\n", "## ❌\n\n- the cache is redis\n"),
  ],
  "where a link leads": [
    inside("See [the plan][1].\n\n[1]: https://example.com/a", "See [the plan][1]."),
    inside("See [the plan](https://example.com/a).", "See [the plan](https://example.com/b)."),
  ],
};

export const SAME: Readonly<Record<string, readonly Lookalike[]>> = {
  "the same text": [
    inside("The cache is redis.", "The cache is redis."),
    inside("周五不可以部署到生产环境", "周五不可以部署到生产环境"),
    inside("- [x] rotate the keys\n  - and tell Mia", "- [x] rotate the keys\n  - and tell Mia"),
    pair("## Never\n\n- deploy late\n", "## Never\n\n- deploy late\n"),
  ],
  "another dress": [
    inside("- the cache is redis\n- the queue is nats", "* the cache is redis\n* the queue is nats"),
    inside("- the **cache** is _redis_", "- the cache is redis"),
    inside("The cache is redis and the queue is nats.", "The cache is redis\nand the queue\nis nats."),
    inside("The cache is redis", "the CACHE is Redis.".replace("CACHE", "Cache")),
    pair("## Facts\n\n- the cache is redis\n", "### Facts\n\n- the cache is redis\n"),
    pair("Facts\n-----\n\n- the cache is redis\n", "## Facts ##\n\n- the cache is redis\n"),
    inside("- a is one\n- b is two\n- c is three", "- c is three\n- a is one"),
    inside("周五不可以部署！", "周五不可以部署"),
  ],
  "the same blocks": [
    inside("```sh\ntar -v\n\n  x\n```", "```sh\ntar -v\n\n  x\n```"),
    inside("    tar -v\n      -x", "    tar -v\n      -x"),
    inside("- run\n\n  ```sh\n  tar -v\n    -x\n  ```", "- run\n\n  ```sh\n  tar -v\n    -x\n  ```"),
    inside("| host | port |\n|---|---|\n| a | 1 |", "| host | port |\n|---|---|\n| a | 1 |"),
    inside("<!-- from Mia -->\n\nThe cache is redis", "<!-- from Mia -->\n\nThe cache is redis"),
    inside("> the cache is redis", "> the cache is redis"),
  ],
  "a heading that says nothing": [
    pair("## Facts\n\n- the cache is redis\n", "## Notes\n\n- the cache is redis\n"),
    pair("## Facts\n\n- the cache is redis\n", "## A\n\n- the cache is redis\n"),
    pair("- the cache is redis\n", "## 📝 总结\n\n- the cache is redis\n"),
    pair("# Memory\n\n## Stack\n\n### Facts\n\n- the cache is redis\n", "### Facts\n\n- the cache is redis\n"),
    pair("## Facts\n\n#### Cache\n\n- it is redis\n", "## Facts\n\n#### Cache\n\n- it is redis\n"),
  ],
};
