import type { SentSpan, TracedCase } from './traced-case.ts'

const mini = { 'gen_ai.request.model': 'gpt-4o-mini' }
const counts = (input: number, output: number) => ({ 'gen_ai.usage.input_tokens': input, 'gen_ai.usage.output_tokens': output })
const chat = { 'gen_ai.operation.name': 'chat' }

/** The span of a gateway reports the usage of the request that it forwards. */
const request = (name: string, below: readonly SentSpan[] = []): SentSpan => ({
  name,
  attributes: { ...chat, 'gen_ai.request.model': 'gpt-4o', ...counts(10, 1) },
  below,
})

/** As the usage of OpenAI's answers is named. */
const used = { 'gpt-4o': { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 } }
const once = { 'gpt-4o': { uses: 1, input: 1_000, output: 100 } }

export const repeatedUsage: readonly TracedCase[] = [
  {
    name: 'an agent repeats the sum of the model calls below it',
    sent: {
      protocol: 'spans',
      traces: [
        {
          name: 'plan a trip',
          attributes: { 'gen_ai.operation.name': 'invoke_agent', ...mini, ...counts(3_000, 500) },
          below: [
            { name: 'chat first', attributes: { ...chat, ...mini, ...counts(1_000, 200) } },
            { name: 'chat second', attributes: { ...chat, ...mini, ...counts(2_000, 300) } },
          ],
        },
      ],
    },
    traces: [{ root: 'plan a trip', status: 'success', used: { 'gpt-4o-mini': { uses: 2, input: 3_000, output: 500 } }, cost: 0.000_75 }],
  },
  {
    name: 'model calls below a model call report their own tokens',
    sent: { protocol: 'spans', traces: [request('chat outer', [request('chat inner'), request('chat other')])] },
    traces: [{ root: 'chat outer', status: 'success', used: { 'gpt-4o': { uses: 3, input: 30, output: 3 } }, cost: 0.000_105 }],
  },
  {
    name: 'the usage is reported by a child, and the root reports none or never ends',
    sent: {
      protocol: 'calls',
      traces: [
        { name: 'finished run', below: [{ name: 'answer', usage: used }] },
        { name: 'long run', isRunning: true, below: [{ name: 'answer', usage: used }] },
      ],
    },
    traces: [
      { root: 'finished run', status: 'success', used: once, cost: 0.003_5 },
      { root: 'long run', status: 'running', used: once, cost: 0.003_5 },
    ],
  },
]
