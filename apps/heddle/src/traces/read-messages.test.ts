import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommandHere } from '../testing/run-command.ts'
import { openSurfaces, type Surfaces } from '../testing/surfaces.ts'

let surfaces: Surfaces
beforeAll(async () => {
  surfaces = await openSurfaces()
})
afterAll(() => surfaces?.close())

const at = '2026-03-01T00:00:00Z'
const one = { started_at: at, ended_at: at, summary: {}, inputs: {}, output: null, exception: null, parent_id: null }

async function recordTrace(project_id: string, call: object): Promise<string> {
  const [entity = '', project = ''] = project_id.split('/')
  const id = crypto.randomUUID()
  const batch = [{ ...one, project_id, id, trace_id: id, op_name: 'ask', attributes: { kind: 'llm' }, ...call }]
  await surfaces.client.calls.complete({ entity, project, batch })
  return id
}

const show = (project: string, ...args: string[]) =>
  runCommandHere(['traces', 'show', ...args, '--project', project, '--url', surfaces.server.url], {
    HEDDLE_API_KEY: surfaces.server.apiKey,
  })

test('messages of a trace are printed instead of its tree, each once, with calls of tools', async () => {
  const project = surfaces.server.newProject()
  const tool_calls = [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{"id":12345678901234567890}' } }]
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Which is it?' },
  ]
  const id = await recordTrace(project, { inputs: { messages }, output: { role: 'assistant', content: null, tool_calls } })
  const { code, out, note } = await show(project, id, '--messages')
  expect({ code, note }).toEqual({ code: 0, note: '' })
  expect(out.split('\n').map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['system', 'Be brief.'],
    ['user', 'Which is it?'],
    ['assistant', expect.stringContaining('12345678901234567890') as string],
    [''],
  ])
  expect(JSON.parse((await show(project, id, '--messages', '--json')).out)).toMatchObject([
    { call_id: id, role: 'system', content: 'Be brief.' },
    { call_id: id, role: 'user', content: 'Which is it?' },
    { call_id: id, role: 'assistant', tool_calls },
  ])
})

test('a trace without messages says so, and messages cannot be followed', async () => {
  const project = surfaces.server.newProject()
  const id = await recordTrace(project, { attributes: {}, inputs: { a: 1 }, output: 2 })
  expect(await show(project, id, '--messages')).toMatchObject({
    code: 0,
    out: '',
    note: expect.stringContaining(`No call of trace ${id}`) as string,
  })
  expect((await show(project, id, '--messages', '--json')).out).toBe('[]\n')
  expect(await show(project, id, '--messages', '--follow')).toMatchObject({ code: 2, note: expect.stringContaining('--follow') as string })
})
