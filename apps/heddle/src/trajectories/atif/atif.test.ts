import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readGroups, type RecordedGroup, type RecordedTrajectory } from '@heddle/agent-instrumentation'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, onTestFinished, test } from 'vitest'
import { runCommandHere } from '../../testing/run-command.ts'
import schema from './vectors/harbor-0.25-trajectory.schema.json' with { type: 'json' }

/** The schema of Harbor's own models. */
const isAtif = new Ajv2020({ strict: false }).compile(schema)

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'atif-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

function write(path: string, value: unknown): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
  return path
}

const run = (...args: string[]) => runCommandHere(args, {})

async function groupsOf(path: string): Promise<RecordedGroup[]> {
  const groups: RecordedGroup[] = []
  for await (const group of readGroups(path)) groups.push(group)
  return groups
}

const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at": 1.0}' } }
const sampled = (message: object, ids: number[]) => ({
  index: 0,
  finish_reason: 'tool_calls' in message ? 'tool_calls' : 'stop',
  message: { role: 'assistant', ...message },
  logprobs: { content: ids.map((id) => ({ token: `token_id:${id}`, logprob: -0.25, bytes: null, top_logprobs: [] })), refusal: null },
  token_ids: ids,
  prompt_token_ids: [1, 2, 3],
})
const trajectory: Partial<RecordedTrajectory> = {
  messages_and_choices: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Look.' },
    sampled({ content: null, reasoning_content: 'hm', tool_calls: [call] }, [7, 8]),
    { role: 'tool', tool_call_id: 'c1', content: 'a cat' },
    { role: 'assistant', content: 'Noted.' },
    sampled({ content: 'A cat.' }, [9]),
  ],
  tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }],
  additional_histories: [{ messages_and_choices: [{ role: 'user', content: 'Sub.' }, sampled({ content: 'Yes.' }, [5])], tools: null }],
  reward: 0.5,
  metrics: { turns: 2 },
  metadata: { trajectory_id: 'mine', model: 'local/default/agent' },
}

test('groups become ATIF as Harbor validates it, and come back with the tokens that were sampled', async () => {
  const folder = aFolder()
  const groups = write(join(folder, 'groups.jsonl'), JSON.stringify({ trajectories: [trajectory], metadata: { group_id: 'cats' } }))
  const out = join(folder, 'atif')
  expect(await run('trajectories', 'to-atif', groups, '--out', out)).toMatchObject({
    code: 0,
    note: expect.stringContaining('1 trajectories'),
  })
  const document = JSON.parse(readFileSync(join(out, '1-1.json'), 'utf8')) as { steps: { step_id: number }[] }
  expect(isAtif(document), JSON.stringify(isAtif.errors)).toBe(true)
  expect(document.steps.map(({ step_id }) => step_id)).toEqual([1, 2, 3, 4, 5])
  expect(document).toMatchObject({
    schema_version: 'ATIF-v1.7',
    trajectory_id: 'mine',
    agent: { name: 'heddle', model_name: 'local/default/agent', tool_definitions: trajectory.tools },
    extra: { reward: 0.5, group_id: 'cats', metrics: { turns: 2 } },
    subagent_trajectories: [{ trajectory_id: 'mine-1' }],
  })
  expect(document.steps[2]).toMatchObject({
    source: 'agent',
    reasoning_content: 'hm',
    tool_calls: [{ tool_call_id: 'c1', function_name: 'look', arguments: { at: 1 } }],
    observation: { results: [{ source_call_id: 'c1', content: 'a cat' }] },
    metrics: { completion_token_ids: [7, 8], logprobs: [-0.25, -0.25], prompt_token_ids: [1, 2, 3] },
  })

  const back = join(folder, 'back.jsonl')
  expect(await run('trajectories', 'from-atif', out, '--out', back)).toMatchObject({ code: 0 })
  const [group] = await groupsOf(back)
  const [again] = group!.trajectories
  expect(group!.metadata).toEqual({ group_id: 'cats' })
  expect(again).toMatchObject({ reward: 0.5, tools: trajectory.tools, metadata: { trajectory_id: 'mine', model: 'local/default/agent' } })
  expect(again!.messages_and_choices).toEqual(trajectory.messages_and_choices)
  expect(again!.additional_histories).toEqual(trajectory.additional_histories)
})

const step = (step_id: number, source: string, message: string, more: object = {}) => ({ step_id, source, message, ...more })
const tokens = { metrics: { completion_token_ids: [4], logprobs: [-1] } }
const aDocument = (steps: object[], more: object = {}) => ({
  schema_version: 'ATIF-v1.8',
  agent: { name: 'terminus-2', version: '2.0.0' },
  steps,
  ...more,
})

test('trials of a job of Harbor are groups by their task, with rewards of the verifier and exceptions', async () => {
  const folder = aFolder()
  const job = join(folder, 'job')
  const trial = (name: string, result: object, steps: object[] | null) => {
    write(join(job, name, 'result.json'), { trial_name: name, ...result })
    if (steps) write(join(job, name, 'agent/trajectory.json'), aDocument(steps))
  }
  const steps = [step(1, 'user', 'Do.'), step(2, 'agent', 'Done.', tokens)]
  write(join(job, 'result.json'), { n_total_trials: 3 })
  trial('a__1', { task_name: 'a', verifier_result: { rewards: { reward: 1 } } }, steps)
  trial('a__2', { task_name: 'a', verifier_result: { rewards: { score: 0.25 } } }, steps)
  const exception_info = { exception_type: 'AgentTimeoutError', exception_message: 'too slow', exception_traceback: 'at' }
  trial('b__1', { task_name: 'b', exception_info }, null)
  const out = join(folder, 'groups.jsonl')
  expect(await run('trajectories', 'from-atif', job, '--out', out)).toMatchObject({ code: 0, note: expect.stringContaining('2 groups') })
  const groups = await groupsOf(out)
  expect(groups.map(({ metadata, trajectories }) => [metadata['group_id'], trajectories.map(({ reward }) => reward)])).toEqual([
    ['a', [1, 0.25]],
    ['b', []],
  ])
  expect(groups[1]!.exceptions).toEqual([{ type: 'AgentTimeoutError', message: 'too slow', traceback: 'at' }])
  expect(groups[0]!.trajectories[0]!.messages_and_choices[1]).toMatchObject({ token_ids: [4], logprobs: { content: [{ logprob: -1 }] } })
  expect(await run('trajectories', 'from-atif', job, '--out', out)).toMatchObject({
    code: 2,
    note: expect.stringContaining('exists already'),
  })
})

test('steps that no inference of this trajectory sampled are context', async () => {
  const folder = aFolder()
  const file = write(
    join(folder, 'one.json'),
    aDocument(
      [
        step(1, 'user', 'Do.', { observation: { results: [{ content: 'a note' }] } }),
        step(2, 'agent', 'copied', { ...tokens, is_copied_context: true }),
        step(3, 'agent', 'several', { ...tokens, llm_call_count: 2 }),
        step(4, 'agent', 'unscored', { metrics: { completion_token_ids: [4] } }),
      ],
      { extra: { reward: 1 } },
    ),
  )
  const out = join(folder, 'groups.jsonl')
  expect(await run('trajectories', 'from-atif', file, '--out', out)).toMatchObject({ code: 0 })
  const [group] = await groupsOf(out)
  expect(group!.trajectories[0]!.messages_and_choices).toEqual([
    { role: 'user', content: 'Do.' },
    { role: 'user', content: 'a note' },
    ...['copied', 'several', 'unscored'].map((content) => ({ role: 'assistant', content })),
  ])
})

test.each<[string, unknown, string]>([
  ['without a reward', aDocument([step(1, 'user', 'Do.')]), 'has no reward; put a number in extra.reward'],
  ['of another format', { schema_version: 'ATIF-v2.0' }, 'is not an ATIF trajectory: schema_version'],
  ['without steps', aDocument([]), 'is not an ATIF trajectory: steps'],
  ['that is not JSON', '{', 'is not JSON'],
  [
    'with an image',
    aDocument([{ step_id: 1, source: 'user', message: [{ type: 'image' }] }], { extra: { reward: 1 } }),
    'steps.0.message has a part of type "image"; models here take text alone',
  ],
  [
    'with tokens that are not scored',
    aDocument([step(1, 'agent', 'a', { metrics: { completion_token_ids: [1, 2], logprobs: [-1] } })], { extra: { reward: 1 } }),
    'steps.0.metrics has 2 completion_token_ids and 1 logprobs; each token needs one',
  ],
])('a trajectory %s is refused by its file', async (_, value, message) => {
  const folder = aFolder()
  const file = write(join(folder, 'bad.json'), value)
  const refused = await run('trajectories', 'from-atif', file, '--out', join(folder, 'groups.jsonl'))
  expect(refused).toMatchObject({ code: 2, note: expect.stringContaining(`${file}`) })
  expect(refused.note).toContain(message)
  expect(readdirSync(folder)).toEqual(['bad.json'])
})

test('a path without trajectories, and one that is not there, are refused', async () => {
  const folder = aFolder()
  const out = join(folder, 'groups.jsonl')
  expect((await run('trajectories', 'from-atif', folder, '--out', out)).note).toContain(
    'no ATIF trajectory and no trial of Harbor was found',
  )
  expect((await run('trajectories', 'from-atif', join(folder, 'none'), '--out', out)).note).toContain('does not exist')
})

test('trajectories six folders below the path are read, and a folder below those is refused by name rather than left out', async () => {
  const folder = aFolder()
  const [deep, deeper] = [join(folder, 'a/b/c/d/e/f'), join(folder, 'a/b/c/d/e/f/g')]
  const out = join(folder, 'groups.jsonl')
  const step = { step_id: 1, source: 'user', message: 'hi' }
  const trajectory = {
    schema_version: 'ATIF-v1.7',
    session_id: 's',
    agent: { name: 'a', version: '1' },
    steps: [step],
    extra: { reward: 1 },
  }
  write(join(deep, 'one.json'), trajectory)
  expect(await run('trajectories', 'from-atif', folder, '--out', out)).toMatchObject({ code: 0 })
  expect((await groupsOf(out)).length).toBe(1)
  write(join(deeper, 'two.json'), trajectory)
  const refused = await run('trajectories', 'from-atif', folder, '--out', join(folder, 'more.jsonl'))
  expect(refused.code).not.toBe(0)
  expect(refused.note).toContain(`${deeper} is more than 6 folders below the path that was named; name a folder nearer to it`)
})
