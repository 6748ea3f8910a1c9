import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { codeIn } from '@heddle/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { TestServer } from '../test-server/create-test-server.ts'
import { shareBuiltTestServer } from '../testing/built-test-server.ts'
import { runCommandHere, startCommand } from '../testing/run-command.ts'

let server: TestServer
let project: string
const folder = mkdtempSync(join(tmpdir(), 'heddle-fine-tune-'))
beforeAll(async () => {
  server = await shareBuiltTestServer()
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})
beforeEach(() => {
  project = server.newProject()
})

const flagsOf = () => ['--url', server.url, '--project', project]
const environment = () => ({ HEDDLE_API_KEY: server.apiKey, HEDDLE_DATA_DIR: folder })
const run = (...args: string[]) => runCommandHere([...args, ...flagsOf()], environment())
const client = () => createClient({ baseUrl: server.url, apiKey: server.apiKey, contract: training })

function write(name: string, lines: readonly unknown[]): string {
  const path = join(folder, name)
  writeFileSync(path, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''))
  return path
}

const says = (question: string, answer: string) => ({
  messages: [
    { role: 'user', content: question },
    { role: 'assistant', content: answer },
  ],
})
const conversations = () =>
  write(
    'conversations.jsonl',
    Array.from({ length: 10 }, (_, at) => says(`Number ${at}?`, `It is ${at}.`)),
  )

test('the rows of the documentation are conversations and pairs that its commands learn from', async () => {
  const page = readFileSync(new URL('../../../../docs/fine-tuning.md', import.meta.url), 'utf8')
  const rows = codeIn(page, 'json').map((row) => row.trim())
  const commands = [...page.matchAll(/^heddle (train \S+ orders) (\S+\.jsonl) (.*)$/gm)]
  const dry = await Promise.all(
    commands.map(([, words = '', file = '', flags = '']) => {
      const row = rows.find((each) => each.includes(file === 'pairs.jsonl' ? 'chosen' : 'messages')) ?? ''
      const path = write(file, Array<string>(20).fill(row))
      const base = flags.includes('--base') ? [] : ['--base', 'heddle-nano']
      return run(...words.split(' '), path, ...flags.split(' ').filter((flag) => flag !== '--dry-run'), ...base, '--dry-run', '--json')
    }),
  )
  expect(dry.map(({ code, out, note }) => [code, code === 0 ? (JSON.parse(out) as object) : note])).toEqual([
    [0, expect.objectContaining({ conversations: 20 })],
    [0, expect.objectContaining({ conversations: 20, held_out: 2 })],
    [0, expect.objectContaining({ preferences: 20, held_out: 2 })],
  ])
})

test('a new model is created, trained in passes with held-out loss, and a repeat is the same job', { timeout: 120_000 }, async () => {
  const file = conversations()
  const settings = ['--epochs', '2', '--held-out', '0.2', '--early-stop', '2', '--schedule', 'cosine', '--rank', '4', '--batch-size', '4']
  const dry = await run('train', 'sft', 'numbers', file, '--base', 'heddle-nano', ...settings, '--dry-run', '--json')
  expect(JSON.parse(dry.out)).toMatchObject({ conversations: 10, held_out: 2, steps: 4 })
  const done = await run('train', 'sft', 'numbers', file, '--base', 'heddle-nano', ...settings)
  expect(done).toMatchObject({ code: 0, out: expect.stringContaining('succeeded: step 1') })
  expect(done.out).toMatch(/held-out loss \d\S* before, \d\S* after/)
  expect(done.note).toContain(`heddle chat --model ${project}/numbers`)
  const id = done.out.split('\n')[0]!
  const [model] = (await client().models.list({ ...splitProject(), name: 'numbers' })).data
  expect(await client().trainingJobs.read({ job_id: id })).toMatchObject({ model_id: model!.id, config: { epochs: 2, rank: 4 } })
  const events = (await client().trainingEvents.list({ job_id: id, limit: 100 })).data
  expect(events.filter(({ type }) => type === 'gradient_step').map(({ data }) => data['epoch'])).toEqual([1, 1, 2, 2])
  const [checkpoint] = (await client().checkpoints.list({ model_id: model!.id, order: 'desc', limit: 1 })).data
  expect(checkpoint!.metrics['held_out_loss']).toBeLessThan(checkpoint!.metrics['held_out_loss_before']!)

  const again = await run('train', 'sft', 'numbers', file, ...settings)
  expect(again).toMatchObject({ code: 0, note: expect.stringContaining('Found a job on 10 conversations') })
  expect(again.out.split('\n')[0]).toBe(id)

  // The adapter of rank 4 is trained on, without being named, and its answers are served.
  const next = await run('train', 'sft', 'numbers', file, '--json', '--idempotency-key', 'second')
  expect(next.code).toBe(0)
  expect(next.out).toContain('"created":true')
  expect((await run('models', 'show', 'numbers')).out).toMatch(/^\s*2 /m)
  const other = await run('train', 'sft', 'numbers', file, '--rank', '8')
  expect(other.code).not.toBe(0)
  expect(other.note).toContain('rank 8: the model already has an adapter of rank 4, and its training continues with that')
  const high = await run('train', 'sft', 'higher', file, '--base', 'heddle-nano', '--rank', '1024')
  expect(high.note).toContain('rank 1024: this server trains adapters of rank 256 at most')
  expect((await client().models.list({ ...splitProject(), name: 'higher' })).data).toEqual([])
  expect(server.errors).toEqual([])
})

const splitProject = () => {
  const [entity, name] = project.split('/') as [string, string]
  return { entity, project: name }
}

test('preference pairs are learned', { timeout: 120_000 }, async () => {
  const file = write(
    'pairs.jsonl',
    Array.from({ length: 6 }, (_, at) => ({ prompt: `Is ${at} a number?`, chosen: 'Yes.', rejected: 'No, not at all.' })),
  )
  const settings = ['--base', 'heddle-nano', '--epochs', '4', '--batch-size', '6', '--beta', '0.2']
  const done = await run('train', 'dpo', 'polite', file, ...settings)
  expect(done).toMatchObject({ code: 0, out: expect.stringContaining('succeeded: step 1') })
  const job_id = done.out.split('\n')[0]!
  const steps = (await client().trainingEvents.list({ job_id, limit: 100 })).data.filter(({ type }) => type === 'gradient_step')
  const margins = steps.map(({ data }) => data['rewards/margins'] as number)
  expect(margins[0]).toBeCloseTo(0, 4)
  expect(margins.at(-1)).toBeGreaterThan(margins[0]!)
  expect(steps[0]!.data['loss']).toBeCloseTo(Math.log(2), 4)
})

test('lines that cannot be learned are named, and nothing is created', async () => {
  const file = write('bad.jsonl', [says('a', 'b'), '{', { messages: [] }])
  const refused = await run('train', 'sft', 'numbers', file, '--base', 'heddle-nano')
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.note).toContain(
    'line 2 of the training data is not a JSON object: JSON decode error at position 1: expected a key in double quotes',
  )
  expect(refused.note).toContain('line 3 of the training data has no `messages`')
  expect(refused.note).toContain(`Nothing was uploaded. Each line of ${file} must be like {"messages": [{"role": "user"`)
  expect((await client().models.list({ ...splitProject(), name: 'numbers' })).data).toEqual([])
})

describe('a file that cannot be learned from is refused', () => {
  test.each([
    ['one that is not there', () => join(folder, 'absent.jsonl'), 'the file {} does not exist'],
    ['a folder', () => folder, '{} is a folder, not a file of training data'],
    ['an empty one', () => write('empty.jsonl', []), '{} has no lines; write conversations, each in a line such as {"messages"'],
    [
      'a list',
      () => write('list.json', [[says('a', 'b')]]),
      'line 1 of the training data is a JSON list; write each of its objects in a line',
    ],
  ])('%s, with its path once', async (_what, make, expected) => {
    const path = make()
    const { code, note } = await run('train', 'sft', 'numbers', path, '--base', 'heddle-nano')
    expect(code).not.toBe(0)
    expect(note).toContain(expected.replace('{}', path))
    expect(note.split(path)).toHaveLength(2)
  })
})

test.each([
  [['--epochs', '0'], '--epochs 0 cannot be used: Input should be an integer from 1 to 100'],
  [['--learning-rate', 'fast'], '--learning-rate "fast" cannot be used'],
  [['--schedule', 'sometimes'], '--schedule "sometimes" cannot be used'],
  [[], 'create it with --base <id>, such as --base heddle-nano'],
  [['--base', 'none', '--dry-run'], 'base_model "none" is not a base model; this server has heddle-'],
])('the flags %j are refused with what is wrong', async (flags, message) => {
  const refused = await run('train', 'sft', 'numbers', conversations(), ...flags)
  expect(refused.code).not.toBe(0)
  expect(refused.note).toContain(message)
})

test('a dry run reports what the job would be, and creates nothing', async () => {
  const dry = await run(
    'train',
    'sft',
    'numbers',
    conversations(),
    '--base',
    'heddle-nano',
    '--dry-run',
    '--epochs',
    '3',
    '--held-out',
    '0.2',
  )
  expect(dry).toMatchObject({ code: 0 })
  expect(dry.out).toContain('Data           10 conversations, 2 of them held out')
  expect(dry.out).toContain('Steps          12')
  expect(dry.out).toMatch(/^Longest {8}about \d+ tokens of 256$/m)
  expect(dry.out).toContain('Trains         an adapter of rank')
  expect(dry.out).toMatch(/Memory         [\d.]+ MiB of [\d.]+ [MG]iB for models; about [\d.]+ MiB in its process/)
  expect((await client().models.list({ ...splitProject(), name: 'numbers' })).data).toEqual([])
})

test('rows that are too long for the model are named by a dry run, and fail the job with the whole reason', async () => {
  const file = write('too-long.jsonl', [says('Say it often.', 'word '.repeat(400))])
  const train = (...flags: string[]) => run('train', 'sft', 'overlong', file, '--base', 'heddle-nano', ...flags)
  expect((await train('--dry-run')).out).toMatch(/^Longest {8}about \d+ tokens of 256: what is longer is not learned$/m)
  const failed = await train()
  expect(failed.code).toBe(1)
  expect(failed.out).toMatch(/^failed: everything is too long: 1 of 1 conversations are longer than the 256 tokens .* a longer context$/m)
  expect(failed.note).not.toContain('gradient steps')
})

test('after an interrupt the command says how to follow the job again or cancel it', { timeout: 120_000 }, async () => {
  const file = write(
    'long.jsonl',
    Array.from({ length: 400 }, (_, at) => says(`Number ${at}?`, `It is ${at}.`)),
  )
  const running = startCommand(['train', 'sft', 'long', file, '--base', 'heddle-nano', '--epochs', '100', ...flagsOf()], environment())
  onTestFinished(() => void running.child.kill('SIGKILL'))
  await expect.poll(() => running.note(), { timeout: 60_000 }).toContain('gradient steps')
  running.child.kill('SIGINT')
  expect(await running.ended).toBe(0)
  const id = running.out().split('\n')[0]!
  expect(running.note()).toContain(`The job continues. Follow it again with the same command, or with: heddle jobs watch ${id}`)
  expect((await run('jobs', 'cancel', id)).out).toMatch(/^(running: it will end soon|cancelled)/)
  await expect.poll(async () => (await client().trainingJobs.read({ job_id: id })).status, { timeout: 60_000 }).toBe('cancelled')
})
