import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tracing, training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestServer } from '../test-server/create-test-server.ts'
import { shareBuiltTestServer } from '../testing/built-test-server.ts'
import { recordEvaluation } from '../testing/record-evaluation.ts'
import { runCommandHere } from '../testing/run-command.ts'

const marks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/
const marked = (name: string) => `${name} \u202Etxet\u2066 \u200Fand\u200E \u061C\u2067more`
const folder = mkdtempSync(join(tmpdir(), 'heddle-marked-'))
const [project, rootId, traceId] = [marked(randomUUID()), randomUUID(), randomUUID()]
const project_id = `test/${project}`
let server: TestServer
let runIds: string[]

beforeAll(async () => {
  server = await shareBuiltTestServer()
  const client = createClient({ baseUrl: server.url, apiKey: server.apiKey, contract: tracing })
  const learner = createClient({ baseUrl: server.url, apiKey: server.apiKey, contract: training })
  const now = new Date().toISOString()
  const call = {
    project_id,
    id: rootId,
    turn_id: rootId,
    trace_id: traceId,
    op_name: marked('op'),
    display_name: marked('call'),
    started_at: now,
    ended_at: now,
  }
  const fields = { thread_id: marked('thread'), attributes: {}, inputs: {}, output: null, summary: {}, exception: marked('ValueError') }
  await client.calls.complete({ entity: 'test', project, batch: [{ ...call, ...fields }] } as Parameters<typeof client.calls.complete>[0])
  const trials = [{ example: { [marked('question')]: 1 }, output: marked('answer'), scores: { [marked('score')]: 1 } }]
  runIds = await Promise.all([0, 1].map(() => recordEvaluation(client, { project: project_id, name: marked('run'), model: 'm', trials })))
  const base_model = (await learner.baseModels.list({})).data[0]?.id ?? ''
  await learner.models.create({ entity: 'test', project, name: marked('trained'), base_model })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const run = (args: readonly string[]) =>
  runCommandHere([...args, '--url', server.url, '--project', project_id], { HEDDLE_API_KEY: server.apiKey, HEDDLE_DATA_DIR: folder })

/** Commands that print names, each with whether it prints JSON with `--json`. */
const commands = (): [string[], boolean][] => [
  [['traces', 'list'], true],
  [['traces', 'show', traceId], true],
  [['threads', 'list'], true],
  [['threads', 'show', marked('thread')], true],
  [['models', 'list'], true],
  [['models', 'show', marked('trained')], true],
  [['models', 'register', marked('another'), '--base-model', 'heddle-nano'], false],
  [['jobs', 'list', marked('trained')], true],
  [['eval', 'list'], true],
  [['eval', 'show', runIds[0] ?? ''], true],
  [['eval', 'compare', ...runIds], true],
  [['traces', 'deletions'], true],
  [['trajectories', 'show', marked('missing')], false],
  [['models', 'show', marked('missing')], false],
  [['export', join(folder, 'export')], false],
  [['no-such\u202E-command'], false],
]

test('no command prints a mark of writing direction, in text, JSON or errors, and JSON keeps the names', async () => {
  const printed: string[] = []
  for (const [args, hasJson] of commands()) {
    const { out, note } = await run(args)
    expect(out + note, args.join(' ')).toMatch(/\S/)
    expect(out + note, args.join(' ')).not.toMatch(marks)
    printed.push(out + note)
    if (!hasJson) continue
    const json = await run([...args, '--json'])
    expect(json.out, args.join(' ')).not.toMatch(marks)
    if (json.out !== '') printed.push(JSON.stringify(JSON.parse(json.out)))
  }
  const all = printed.join('\n')
  for (const name of ['call', 'run', 'trained']) expect(all).toContain(`${name} txet`)
  expect(all).toContain(JSON.stringify(marked('call')).slice(1, -1))
})

test('variables for a shell keep the very name of the project', async () => {
  const { out } = await runCommandHere(['print-env', '--project', project_id], { HEDDLE_API_KEY: 'heddle-key-of-sixteen' })
  expect(decodeURIComponent(out)).toContain(project)
})
