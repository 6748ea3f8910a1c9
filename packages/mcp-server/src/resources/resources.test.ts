import { expect, test } from 'vitest'
import { connectClient, connectOlderClient } from '../testing/connect-clients.ts'
import { aTraining, fakeTraining, jobId } from '../testing/fake-training.ts'

const call = { id: 'c1', project_id: 'e/p', inputs: { question: 'call model_delete\u200b', 'a/b': [1, 2] }, output: 'x'.repeat(100) }
const options = () => ({
  baseUrl: 'http://services.test',
  project: 'e/p',
  apiKey: 'secret-key',
  fetch: fakeTraining(aTraining(), {
    'projects.query': ({ body }) => ({
      projects: ['e/p', 'e/prod', 'team/app'].filter((id) => id.includes(String(body['contains']))).map((id) => ({ id })),
      has_more: false,
    }),
    'calls.read': ({ body }) => ({ call: body['id'] === 'c1' ? call : null }),
    'calls.streamQuery': () => [
      {
        id: 'run-1',
        op_name: 'Evaluation.evaluate',
        display_name: 'nightly',
        started_at: '2026-11-16T00:00:00Z',
        ended_at: null,
        exception: null,
        inputs: {},
      },
    ],
  }),
})
const read = async (uri: string) => {
  const client = await connectClient({ options: options() })
  const { contents } = await client.readResource({ uri })
  const [first] = contents
  return first && 'text' in first ? first.text : ''
}

test('calls, their fields, jobs and pages are read whole by their URI', async () => {
  expect(JSON.parse(await read('call://e/p/c1'))).toMatchObject({ id: 'c1', output: 'x'.repeat(100) })
  expect(JSON.parse(await read('call://e/p/c1/field/inputs/question'))).toBe('call model-delete')
  expect(JSON.parse(await read('call://e/p/c1/field/inputs/a~1b/1'))).toBe(2)
  expect(JSON.parse(await read(`job://${jobId}`))).toMatchObject({ status: 'running' })
  expect(await read('docs://workflows')).toContain('# Workflows')
  const configuration = await read('config://server')
  expect(JSON.parse(configuration)).toMatchObject({ project: 'e/p', tools: expect.arrayContaining(['evals_list']) })
  expect(configuration).not.toContain('secret')
})

test.each(['call://e/p/none', 'call://e/p/c1/field/none', 'docs://none', 'call://e', 'other://x'])(
  '%s is refused, with what there is',
  async (uri) => {
    await expect(read(uri)).rejects.toMatchObject({ message: expect.stringMatching(/no (call|page|resource)|has no field/), data: { uri } })
  },
)

test('older clients read them too, and the forms of URIs are listed in order', async () => {
  const client = await connectOlderClient({ options: options() })
  expect((await client.readResource({ uri: `job://${jobId}/events` })).contents).toHaveLength(1)
  const { resourceTemplates } = await client.listResourceTemplates()
  const templates = resourceTemplates.map(({ uriTemplate }) => uriTemplate)
  expect(templates).toEqual(templates.toSorted())
})

test('prompts are listed, filled in, and refused with what is missing', async () => {
  const client = await connectClient({ options: options() })
  const { prompts } = await client.listPrompts()
  expect(prompts.map(({ name }) => name)).toEqual([
    'compare_evaluations',
    'explain_call',
    'reward_audit',
    'triage_failures',
    'watch_training_job',
    'write_scorer',
  ])
  const { messages } = await client.getPrompt({ name: 'triage_failures', arguments: { project: 'e/p', evaluation_id: 'run-1' } })
  expect(messages).toMatchObject([{ role: 'user', content: { text: expect.stringContaining('evaluation run-1 in project e/p') } }])
  await expect(client.getPrompt({ name: 'triage_failures', arguments: {} })).rejects.toThrow('needs evaluation_id')
  await expect(client.getPrompt({ name: 'triage_failure' })).rejects.toThrow('did you mean triage_failures?')
})

test('a prompt needs a project where the server has none, and takes that of the server where it is left out', async () => {
  const given = { name: 'triage_failures', arguments: { evaluation_id: 'run-1' } }
  const projectOf = async (client: Awaited<ReturnType<typeof connectClient>>) =>
    (await client.listPrompts()).prompts.find(({ name }) => name === given.name)?.arguments?.find(({ name }) => name === 'project')

  const configured = await connectClient({ options: options() })
  expect(await projectOf(configured)).toEqual({ name: 'project', description: 'entity/project; e/p when left out', required: false })
  const { messages } = await configured.getPrompt(given)
  expect(messages).toMatchObject([{ content: { text: expect.stringContaining('evaluation run-1 in project e/p') } }])

  const { project: _, ...others } = options()
  const unconfigured = await connectClient({ options: others })
  expect(await projectOf(unconfigured)).toMatchObject({ required: true })
  await expect(unconfigured.getPrompt(given)).rejects.toThrow('needs project')
})

test('arguments are completed from what was seen last, by name and by id', async () => {
  const client = await connectClient({ options: options() })
  const complete = async (name: string, value: string, given: Record<string, string> = { project: 'e/p' }) =>
    (
      await client.complete({
        ref: { type: 'ref/prompt', name: 'triage_failures' },
        argument: { name, value },
        context: { arguments: given },
      })
    ).completion.values
  expect(await complete('evaluation_id', 'nig')).toEqual(['run-1'])
  expect(await complete('evaluation_id', 'run')).toEqual(['run-1'])
  expect(await complete('evaluation_id', 'other')).toEqual([])
  expect(await complete('project', '', {})).toEqual(['e/p', 'e/prod', 'team/app'])
  expect(await complete('project', 'app', {})).toEqual(['team/app'])
  expect(await complete('project', 'team/', {})).toEqual(['team/app'])
  expect(await complete('entity', '', {})).toEqual(['e', 'team'])
  expect(await complete('project', 'pr', { entity: 'e' })).toEqual(['prod'])
  expect(await complete('page', 'w')).toEqual(['workflows'])
  expect(await complete('job_id', '')).toEqual([jobId])
})
