import { init, op } from 'weave'

const client = await init(process.argv[2], { printCallLink: false })

const usage = {
  'gpt-4o-mini': { requests: 1, prompt_tokens: 1_000_000, completion_tokens: 100_000, total_tokens: 1_100_000 },
  'our-model': { requests: 1, input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 4 },
  'unknown-model': { requests: 1, prompt_tokens: 1 },
}
const ask = op(async (model) => model, { name: 'ask', summarize: (model) => ({ usage: { [model]: usage[model] } }) })
const run = op(async () => Promise.all(Object.keys(usage).map((model) => ask(model))), { name: 'run' })

await run()
await client.waitForBatchProcessing()

const told = (calls) => calls.map(({ summary }) => ({ usage: summary.usage, costs: summary.weave.costs }))
const seen = {
  without: told(await client.getCalls({ trace_roots_only: true })),
  withCosts: told(await client.getCalls({ trace_roots_only: true }, true)),
}
process.stdout.write(`\n${JSON.stringify(seen)}`)
