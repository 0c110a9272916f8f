// Sections that look like what the memory says, and are not the same text; sections that look different, and are.

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
      "Deploys by hand are allowed after 15:00 for team Ops and Data",
      "Deploys by hand are not allowed after 15:00 for team Ops and Data",
    ),
    inside("随时可以部署到生产环境", "随时不可以部署到生产环境"),
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
  "its dress": [
    inside("- the **cache** is _redis_", "- the cache is redis"),
    inside("The cache is redis", "the Cache is Redis."),
    inside("- a is one\n- b is two\n- c is three", "- c is three\n- a is one"),
    inside("任何人不可以部署！", "任何人不可以部署"),
    inside("The cache is redis", "- The cache is redis"),
    inside("1. stop the server\n2. start the server", "- stop the server\n- start the server"),
  ],
  "signs that mean something": [
    inside("It was –5 °C", "It was 5 °C"),
    inside("x = - 5", "x = 5"),
    inside("It moves 100 MBps", "It moves 100 Mbps"),
    inside("It has 5 MOhm", "It has 5 mOhm"),
    inside("It took [5, 10) seconds", "It took (5, 10] seconds"),
    inside("It needs 5' of cable", 'It needs 5" of cable'),
    inside("It has a rating AA-", "It has a rating AA"),
    inside("不，要部署到主机", "不要部署到主机"),
    inside("Don't, use the gateway", "Don't use the gateway"),
    inside("Nunca, desplegar sin equipo", "Nunca desplegar sin equipo"),
  ],
  "what stands beside it": [
    inside("```sh\nstop gw\n```\n\n```sh\nrm -rf cache\n```", "```sh\nrm -rf cache\n```\n\n```sh\nstop gw\n```"),
    inside("- stop the host\n- copy the folder\n- start it", "- copy the folder\n- stop the host\n- start it"),
    inside("- Anna Alder\n- Ben Birch\n- Carla Cedar", "- Anna Alder\n- Ben Birch"),
    inside("- it restarted by itself", "- it restarted by itself\n- it restarted by itself"),
    inside("The cache is redis.\n\nReverted in May.", "The cache is redis."),
    inside("Reverted in May.\n\n- the cache is redis", "- the cache is redis"),
    inside("These apply to the small cluster.\n\n- the cache is redis", "- the cache is redis"),
    pair("## Plan\n\n- the cache is redis\n\n## Correction\n\n- none of it\n", "## Plan\n\n- the cache is redis\n"),
    pair("## Myths\n\n- the cache is redis\n", "## Notes\n\n- the cache is redis\n"),
    pair("## EU region\n\n- the cache is redis\n", "## Notes\n\n- the cache is redis\n"),
    pair("## Competitor\n\n### Cache\n\n- it is redis\n", "## Cache\n\n- it is redis\n"),
    pair("## Stack\n\n### Facts\n\n- the cache is redis\n", "### Facts\n\n- the cache is redis\n"),
    pair("## B\n\n- the cache is redis\n", "## A\n\n- the cache is redis\n"),
  ],
  "where a link leads": [
    inside("See [the plan][1].\n\n[1]: https://example.com/a", "See [the plan][1]."),
    inside("See [the plan](https://example.com/a).", "See [the plan](https://example.com/b)."),
  ],
};

export const SAME: Readonly<Record<string, readonly Lookalike[]>> = {
  "the same text": [
    inside("The cache is redis.", "The cache is redis."),
    inside("任何人不可以部署到生产环境", "任何人不可以部署到生产环境"),
    inside("- [x] rotate the keys\n  - and tell Mia", "- [x] rotate the keys\n  - and tell Mia"),
    pair("## Never\n\n- deploy late\n", "## Never\n\n- deploy late\n"),
  ],
  "other lines, marks and levels": [
    inside("- the cache is redis\n- the queue is nats", "* the cache is redis\n* the queue is nats"),
    inside("The cache is redis and the queue is nats.", "The cache is redis\nand the  queue\nis nats."),
    inside("Das ist f\u00fcr alle", "Das ist fu\u0308r alle"),
    pair("## Facts\n\n- the cache is redis\n", "### Facts\n\n- the cache is redis\n"),
    pair("Facts\n-----\n\n- the cache is redis\n", "## Facts ##\n\n- the cache is redis\n"),
    pair("## Stack\n\n- the cache is redis\n", "### Stack  \n\n- the cache is redis\n"),
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
    pair("- the cache is redis\n", "## 📝 总结\n\n- the cache is redis\n"),
    pair("# Memory\n\n### Facts\n\n- the cache is redis\n", "## Notes\n\n- the cache is redis\n"),
    pair("## Key points\n\n- the cache is redis\n", "## Notes\n\n- the cache is redis\n"),
    pair("## Facts\n\n#### Cache\n\n- it is redis\n", "## Facts\n\n#### Cache\n\n- it is redis\n"),
  ],
};
