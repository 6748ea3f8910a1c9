import { init, op, withAttributes } from 'weave'

const client = await init(process.argv[2], { printCallLink: false, globalAttributes: { release: 'r1' } })

const embed = op(async (text) => [text.length, 0.5], { name: 'embed' })
const search = op(
  async function search(query, { limit }) {
    const vector = await embed(query)
    return { vector, hits: ['a', 'b', 'c'].slice(0, limit) }
  },
  { parameterNames: ['query', 'options'] },
)
const answer = op(
  async (question) => {
    const found = await Promise.all([search(question, { limit: 2 }), search(`${question} 世界`, { limit: 1 })])
    return found.flatMap(({ hits }) => hits)
  },
  {
    name: 'answer',
    callDisplayName: (question) => `Answer: ${question}`,
    summarize: () => ({ usage: { 'test-model': { prompt_tokens: 3, completion_tokens: 4 } } }),
  },
)
const fail = op(
  async () => {
    await embed('before')
    throw new RangeError('out of luck')
  },
  { name: 'fail' },
)
const streamReducer = { initialStateFn: () => [], reduceFn: (words, word) => [...words, word], finalizeFn: () => undefined }
const words = op(
  async function* words() {
    yield 'one'
    yield 'two'
  },
  { name: 'words', streamReducer },
)

await withAttributes({ tenant: 'acme', nested: { request: 7 } }, () => answer('Why?'))
const failure = await fail().catch((error) => error.name)
for await (const _ of await words());
const [, renamed] = await embed.invoke('renamed')
await client.waitForBatchProcessing()
await renamed.setDisplayName('A better name')

const published = await client.publish({ temperature: 0.5, stop: ['\n'] }, 'settings')
await client.waitForBatchProcessing()

const namesOf = (calls) => calls.map(({ summary }) => summary.weave.display_name ?? summary.weave.trace_name)
const roots = await client.getCalls({ trace_roots_only: true })
const { op_name, trace_id } = (await client.getCalls()).find((call) => call.inputs.query === 'Why?')
const seen = {
  failure,
  roots: namesOf(roots),
  searches: (await client.getCalls({ op_names: [op_name] })).map(({ inputs }) => inputs.query),
  anyVersion: (await client.getCalls({ op_names: [op_name.replace(/:[^:]*$/, ':*')] }, false, 1)).length,
  traced: namesOf(await client.getCalls({ trace_ids: [trace_id] })),
  children: namesOf(await client.getCalls({ parent_ids: [roots[0].id] })),
  renamed: (await client.getCall(renamed.id)).display_name,
  published: await client.get(published),
}
process.stdout.write(`\n${JSON.stringify(seen)}`)
