import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { chosenTools } from '../server/chosen-tools.ts'
import type { ServerOptions } from '../connection/server-options.ts'
import { connectClient, connectOlderClient } from '../testing/connect-clients.ts'
import { aTraining, fakeTraining, jobId, modelId } from '../testing/fake-training.ts'
import { findTools } from './find-tools.ts'

const options = (further: Partial<ServerOptions> = {}) => ({
  baseUrl: 'http://services.test',
  project: 'e/p',
  fetch: fakeTraining(aTraining()),
  onDemand: true,
  ...further,
})
interface Answer {
  isError?: boolean
  structuredContent: { data?: Record<string, unknown>; error?: { message: string; hint: string } }
}
const namesIn = (data: Record<string, unknown> | undefined) => ((data?.['tools'] ?? []) as { name: string }[]).map(({ name }) => name)

test('three tools are listed, for less than a fifth of the tokens, to clients of both eras', async () => {
  const current = await connectClient({ options: options() })
  const older = await connectOlderClient({ options: options() })
  const { tools } = await current.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['eval_summary_get', 'tool_call', 'tools_search'])
  expect((await older.listTools()).tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name))
  expect(encode(JSON.stringify(tools)).length).toBeLessThan(1_000)
})

test.each([
  ['compare two evaluations', 'eval_compare'],
  ['why do rows fail', 'eval_failures_group'],
  ['cost by model', 'trace_stats'],
  ['start a training job', 'training_job_create'],
  ['checkpoints', 'model_checkpoints_list'],
  ['find traces', 'traces_search'],
])('"%s" finds %s among the first three', (query, name) => {
  expect(
    findTools(query, chosenTools({}))
      .slice(0, 3)
      .map((tool) => tool.name),
  ).toContain(name)
})

test('a tool that was found is called with its arguments, and its answer is its own', async () => {
  const client = await connectClient({ options: options() })
  const found = (await client.callTool({ name: 'tools_search', arguments: { query: 'training job' } })) as unknown as Answer
  expect(namesIn(found.structuredContent.data)).toContain('training_job_get')
  const called = (await client.callTool({
    name: 'tool_call',
    arguments: { name: 'training_job_get', arguments: { job_id: jobId } },
  })) as unknown as Answer
  expect(called.structuredContent.data).toMatchObject({ job: { status: 'running' } })
})

test('what the operator did not allow is neither found nor called', async () => {
  const client = await connectClient({ options: options() })
  const found = (await client.callTool({ name: 'tools_search', arguments: { query: 'delete model', limit: 10 } })) as unknown as Answer
  expect(namesIn(found.structuredContent.data)).not.toContain('model_delete')
  const refused = (await client.callTool({ name: 'tool_call', arguments: { name: 'model_delete' } })) as unknown as Answer
  expect([refused.isError, refused.structuredContent.error?.message]).toEqual([true, 'no tool "model_delete" is offered here'])
  const wrong = (await client.callTool({
    name: 'tool_call',
    arguments: { name: 'training_job_get', arguments: { job: 1 } },
  })) as unknown as Answer
  expect(wrong.structuredContent.error?.message).toBe('unknown argument "job" (did you mean "job_id"?)')
  const misspelled = (await client.callTool({ name: 'tool_call', arguments: { name: 'training_jobs_get' } })) as unknown as Answer
  expect(misspelled.structuredContent.error?.hint).toMatch(/^Did you mean training_job/)
})

test('a deletion through it asks a person all the same', async () => {
  const client = await connectClient({ options: options({ allowWrites: true, allowDestructive: true }) })
  const asked: string[] = []
  client.setRequestHandler('elicitation/create', ({ params }) => {
    asked.push(params.message)
    return { action: 'decline' as const }
  })
  const declined = (await client.callTool({
    name: 'tool_call',
    arguments: { name: 'model_delete', arguments: { model_id: modelId } },
  })) as unknown as Answer
  expect(asked).toEqual([expect.stringContaining('Type "agent" to confirm')])
  expect(declined.structuredContent.data).toEqual({ reason: 'declined' })
})
