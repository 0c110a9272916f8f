// The forty facts in Chinese, and what else is said in a session.
import { explicit, implicit, prohibition, superseded, type Template } from "./planted-fact.ts";

export const CHINESE: readonly Template[] = [
  explicit("user", "先说明一下：计费网关的端口是{port}。", ["{port}"], "计费网关 端口"),
  explicit("user", "这个属于 {ticket}，请在合并请求里提到。", ["{ticket}"], "合并请求"),
  explicit("user", "本季度只部署到 {region}。", ["{region}"], "本季度 部署"),
  explicit("user", "截止日期是 {date}，之前必须全部合并。", ["{date}"], "截止日期"),
  explicit("user", "取整的问题在 {path}:{line}，我调试时看到的。", ["{path}:{line}"], "取整 调试"),
  explicit("user", "冷数据照旧放在 {bucket} 里。", ["{bucket}"], "冷数据"),
  explicit("user", "支付客户端里保留 maxRetry={n}。", ["maxRetry", "{n}"], "maxRetry 支付"),
  explicit("user", "修改税率之前先问财务，负责人是{cjkperson}。", ["{cjkperson}"], "税率 财务"),
  explicit("user", "这个回归是提交 {hash} 引入的。", ["{hash}"], "回归 提交"),
  explicit("user", "只读副本是 {host}。", ["{host}"], "只读副本"),
  explicit("assistant", "我查过了：生产环境跑的是 node {version}。", ["{version}"], "生产环境 查过"),
  explicit("assistant", "测试需要加 {flag}，否则一半会被跳过。", ["{flag}"], "测试 跳过"),
  explicit("assistant", "找到了：合作方的回调地址是 {url} 。", ["{url}"], "合作方 回调"),
  explicit("user", "每位客户的退款上限是 {money}。", ["{money}"], "退款上限"),
  explicit("tool", "tenant_id: {uuid}", ["{uuid}"], "tenant_id"),
  explicit("tool", "export_batch_size={m}", ["export_batch_size", "{m}"], "export_batch_size"),
  implicit("assistant", "导入一直失败，直到我把连接池大小设为{n}。", ["连接池大小", "{n}"], "导入 连接池"),
  implicit("assistant", "少于 {n} 个副本时队列一直排不空。", ["{n} 个副本"], "副本 队列"),
  implicit("user", "后来把读取超时降到 {ms} 才正常。", ["读取超时", "{ms}"], "读取超时"),
  implicit(
    "assistant",
    "把 prefetch_count 从1改为{n}之后，消费者就跟上了。",
    ["prefetch_count", "{n}"],
    "prefetch_count 消费者",
  ),
  implicit("user", "上次迁移卡住，是因为没人设置 LOCK_WAIT={n}。", ["LOCK_WAIT", "{n}"], "迁移 LOCK_WAIT"),
  implicit("assistant", "随机种子改成{m}之后，不稳定的用例就好了。", ["随机种子", "{m}"], "随机种子"),
  implicit("user", "{cjkperson}昨天批准了新的表结构，这个讨论结束了。", ["{cjkperson}", "表结构"], "批准 表结构"),
  implicit("assistant", "解析器需要关掉 `strictDates`，不然第 {m} 行会坏。", ["strictDates"], "解析器 strictDates"),
  superseded("会话超时是{old}分钟。", "user", "更正：会话超时是{now}分钟。", "会话超时", ["{old}", "{now}"]),
  superseded("预发主机是 {oldhost}。", "user", "搬家了：预发主机现在是 {nowhost}。", "预发主机", [
    "{oldhost}",
    "{nowhost}",
  ]),
  superseded("把工作线程数设为{old}。", "user", "请把工作线程数设为{now}，之前太低了。", "工作线程数", [
    "{old}",
    "{now}",
  ]),
  superseded("上传上限是 {old} MB。", "assistant", "按你的要求，上传上限从 {old} MB 改为 {now} MB。", "上传上限", [
    "{old} MB",
    "{now} MB",
  ]),
  superseded("上线日期是 {olddate}。", "user", "上线日期改为 {nowdate}，客户要求的。", "上线日期", [
    "{olddate}",
    "{nowdate}",
  ]),
  superseded("cacheTtl={old} 就行。", "user", "更好：cacheTtl={now}。", "cacheTtl", ["{old}", "{now}"]),
  superseded("审计端口是{oldport}。", "user", "审计端口改为{nowport}。", "审计端口", ["{oldport}", "{nowport}"]),
  superseded("错误预算是{old}%。", "user", "从今天起错误预算是{now}%。", "错误预算", ["{old}%", "{now}%"]),
  prohibition("没有问过我，绝对不要动 {table} 表。", "绝对不要动 {table} 表", "{table}"),
  prohibition("不要为此增加任何新的依赖。", "不要为此增加任何新的依赖", "新的依赖"),
  prohibition("不要推送到 {branch} 分支，我自己来。", "不要推送到 {branch} 分支", "{branch}"),
  prohibition("禁止在任何地方记录客户地址。", "禁止在任何地方记录客户地址", "客户地址"),
  prohibition("legacy/ 下面不许改，会弄坏旧的导入程序。", "legacy/ 下面不许改", "legacy 导入程序"),
  prohibition("千万别对生产环境跑压力测试。", "千万别对生产环境跑压力测试", "压力测试"),
  prohibition("金额必须用整数分，不能用浮点数。", "不能用浮点数", "整数分"),
  prohibition("无论如何都不能删除三月的快照。", "不能删除三月的快照", "三月 快照"),
];

export const CHINESE_FILLER = {
  asks: [
    "现在看看{noun}，比应有的慢。",
    "请检查{noun}是否还和文档一致。",
    "接下来是{noun}：整理一下，行为不变。",
    "{noun}有点奇怪，请看一下。",
  ],
  answers: [
    "{noun}处理好了，现在更清楚，测试全部通过。",
    "{noun}只是注释过时了。",
    "我简化了{noun}，慢的地方是循环里的查询。",
  ],
  thoughts: ["我先读一下{noun}。", "看看{noun}是怎么被调用的。"],
  nouns: ["发票导出", "重试循环", "邮件模板", "搜索索引", "登录表单", "价格表"],
};
