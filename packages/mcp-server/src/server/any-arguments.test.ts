import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { describeTool } from '../tools/schema/describe-tool.ts'
import { tools } from '../tools/tools.ts'
import { fakeServices } from '../testing/fake-services.ts'
import { createCallTool } from './call-tool.ts'

const page = { object: 'list', data: [], first_id: '', last_id: '', has_more: false }
const empty = fakeServices({
  'calls.streamQuery': () => [],
  'calls.queryStats': () => ({ count: 0, has_more: false, total_storage_size_bytes: null }),
  'calls.stats': () => ({ start: '', end: '', granularity: 1, timezone: 'UTC', usage_buckets: [], call_buckets: [] }),
  'evalResults.query': () => ({ rows: [], total_rows: 0, summary: { row_count: 0, evaluations: [] }, warnings: [] }),
  'models.list': () => page,
  'models.read': () => ({ id: 'm', entity: 'e', project: 'p', name: 'n', base_model: 'b', run_id: null }),
  'checkpoints.list': () => page,
  'trainingJobs.list': () => page,
  'trainingEvents.list': () => page,
})
const callTool = createCallTool({
  baseUrl: 'http://services.test',
  project: 'e/p',
  fetch: empty,
  allowWrites: true,
  allowDestructive: true,
})
const aCall = () => ({ signal: new AbortController().signal, report: () => undefined, caller: {} })

const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.string(),
  fc.integer(),
  fc.constantFrom('newest', 'e/p', '2026-11-16', 'step:3', 'asc', null),
)

test.each(tools.filter(({ name }) => name !== 'training_job_wait').map((tool) => [tool.name, tool] as const))(
  '%s takes any JSON with a result or a clear error',
  async (_, tool) => {
    const names = Object.keys(describeTool(tool).inputSchema.properties)
    const known = fc.dictionary(fc.constantFrom(...names), value)
    await fc.assert(
      fc.asyncProperty(fc.oneof({ weight: 4, arbitrary: known }, { weight: 1, arbitrary: fc.jsonValue() }), async (given) => {
        const outcome = await callTool(tool, given, aCall())
        if (outcome.kind === 'confirm') return
        const { isError, content } = outcome.result
        const answer = outcome.result.structuredContent as { data?: unknown; error?: { code: string; message: string; hint: string } }
        const [first] = content
        const text = first?.type === 'text' ? first.text : ''
        expect(encode(text).length).toBeLessThanOrEqual(4_000)
        if (isError === true) {
          expect(answer.error?.code).not.toBe('internal')
          expect(text).toBe(`${answer.error?.message}. ${answer.error?.hint}`)
        } else {
          expect(tool.output.safeParse(answer.data).error).toBeUndefined()
        }
      }),
      { numRuns: trials({ usual: 15, long: 1_000 }) },
    )
  },
)

test.each([
  [{ limt: 3 }, 'unknown argument "limt" (did you mean "limit"?)'],
  [{ limit: 'many' }, 'limit: '],
  [{ project: 'nowhere' }, '"nowhere" is not the name of a project'],
  [[], 'the arguments are not a JSON object'],
])('the error of %j says what is wrong', async (given, message) => {
  const evalsList = tools.find(({ name }) => name === 'evals_list')
  if (!evalsList) throw new Error('no such tool')
  const outcome = await callTool(evalsList, given, aCall())
  expect(outcome).toMatchObject({
    kind: 'result',
    result: { isError: true, structuredContent: { error: { message: expect.stringContaining(message) } } },
  })
})

test.each(['', '.', '..'])('the id %j is refused before a request is made of it', async (model_id) => {
  const tool = tools.find(({ name }) => name === 'model_checkpoints_list')
  if (!tool) throw new Error('no such tool')
  expect(await callTool(tool, { model_id }, aCall())).toMatchObject({
    kind: 'result',
    result: { structuredContent: { error: { code: 'invalid', message: `model_id: "${model_id}" is not an id` } } },
  })
})

test('numbers, lists and null that arrive as models write them are understood', async () => {
  const tool = tools.find(({ name }) => name === 'eval_summary_get')
  if (!tool) throw new Error('no such tool')
  await callTool(tool, { evaluation_call_ids: 'e1', project: null, max_tokens: '900' }, aCall())
  expect(empty.requests.at(-1)?.body).toMatchObject({ evaluation_call_ids: ['e1'] })
})
