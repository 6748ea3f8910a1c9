import { mcnemarExact, pairedRateInterval, wilsonInterval } from '@heddle/evaluations'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { trials } from '@heddle/testing'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { TracingClient } from '../../connect.ts'
import type { TestServer } from '../../test-server/create-test-server.ts'
import { shareBuiltTestServer } from '../../testing/built-test-server.ts'
import { recordEvaluation } from '../../testing/record-evaluation.ts'
import { runCommand, runCommandHere } from '../../testing/run-command.ts'

// Each test starts a command or two, which a busy machine makes wait.
vi.setConfig({ testTimeout: 120_000 })

/** A row in a run: row 0 only in the first, row 40 only in the second. */
const rows = Array.from({ length: 41 }, (_, row) => ({
  row,
  first: { match: row % 4 !== 0, length: row / 2, latencyMs: 100 + row, tokens: 10 + row },
  second: { match: row % 5 !== 0, length: row / 2 + (row % 3) - 0.5, latencyMs: 200 + row, tokens: 20 + row },
}))
type Side = (typeof rows)[number]['first']
const [ofFirst, ofSecond, paired] = [rows.slice(0, 40), rows.slice(1), rows.slice(1, 40)]

let server: TestServer
let client: TracingClient
let project: string
let a: string
let b: string

const trialOf = (row: number, { match, length, latencyMs, tokens }: Side) => ({
  example: { question: `Question ${row}\u001b[31m` },
  output: `answer ${row}`,
  scores: { exact: { match, note: 'text' }, length },
  latencyMs,
  tokens,
})

beforeAll(async () => {
  server = await shareBuiltTestServer()
  client = createClient({ baseUrl: server.url, apiKey: server.apiKey, contract: tracing })
  project = server.newProject()
  const first = ofFirst.map(({ row, first: side }) => trialOf(row, side))
  const second = ofSecond.map(({ row, second: side }) => trialOf(row, side))
  a = await recordEvaluation(client, { project, name: 'before', model: 'small', trials: first })
  const startedAtMs = Date.UTC(2026, 0, 3)
  b = await recordEvaluation(client, { project, name: 'after', model: 'large', trials: second, startedAtMs })
})
afterAll(() => server.close())

function run(...args: string[]) {
  return runCommandHere(['eval', ...args, '--project', project, '--url', server.url], { HEDDLE_API_KEY: server.apiKey })
}
async function json(...args: string[]) {
  const { code, out, note } = await run(...args, '--json')
  expect([code, note]).toEqual([0, expect.not.stringContaining('heddle:')])
  return JSON.parse(out)
}
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const countOf = (values: readonly boolean[]) => values.filter(Boolean).length
const near = (value: number) => expect.closeTo(value, 9)
const interval = (of: { low: number; high: number } | undefined) => ({
  low: near(of?.low ?? Number.NaN),
  high: near(of?.high ?? Number.NaN),
})

test('runs are listed, the newest first, with their scores; those that the server made as well', async () => {
  const [entity = '', name = ''] = project.split('/')
  const { evaluation_run_id } = await client.evaluationRuns.create({ entity, project: name, evaluation: 'not a ref', model: 'm' })
  const listed = await json('list')
  expect(listed.map((one: { id: string }) => one.id)).toEqual([evaluation_run_id, b, a])
  expect(listed[0]).toMatchObject({ status: 'running', rows: 0, model: 'm', duration_us: null, scores: {} })
  expect(listed[2]).toMatchObject({
    name: 'before',
    model: 'small:dddddddd',
    status: 'completed',
    rows: 40,
    trials: 40,
    duration_us: 60_000_000,
  })
  expect(listed[2].scores).toEqual({
    'exact.match': { value: near(0.75), is_rate: true },
    length: { value: near(mean(ofFirst.map((one) => one.first.length))), is_rate: false },
  })
  const { out } = await run('list', '--limit', '2')
  expect(out.trim().split('\n')).toHaveLength(3)
  expect(out).toMatch(/ {2}after +large:dddddddd +completed +40 +1 m 00 s +exact\.match 80 %, length 10\.75 +/)
  await client.evaluationRuns.delete({ entity, project: name, evaluation_run_ids: [evaluation_run_id] })
})

test('a project without runs says so', async () => {
  const { code, out, note } = await runCommand(['eval', 'list', '--project', 'no/runs', '--url', server.url], {
    HEDDLE_API_KEY: server.apiKey,
  })
  expect([code, out, note]).toEqual([0, '', expect.stringContaining('Project no/runs has no evaluation runs yet')])
})

test('a run is shown with rates, means, coverage, latency, tokens and its lowest rows', async () => {
  const shown = await json('show', a, '--rows', '3')
  const [match, length] = shown.measures
  expect(match).toMatchObject({ name: 'exact.match', is_rate: true, value: near(0.75), trials: 40, coverage: 1, method: 'wilson' })
  expect(match.interval).toEqual(interval(wilsonInterval({ passed: 30, trials: 40 }, 0.95)))
  expect(length).toMatchObject({ name: 'length', is_rate: false, method: 'bca', value: near(mean(ofFirst.map((one) => one.first.length))) })
  expect(length.interval.low).toBeLessThan(length.value)
  expect(length.interval.high).toBeGreaterThan(length.value)
  expect(shown).toMatchObject({ rows: 40, trials: 40, latency_seconds: { median: near(0.1195), p95: near(0.13705) } })
  expect(shown.total_tokens).toBe(ofFirst.reduce((sum, { first }) => sum + first.tokens, 0))
  expect(shown.lowest_rows.name).toBe('exact.match')
  expect(shown.lowest_rows.rows).toHaveLength(3)
  for (const { value, inputs, outputs } of shown.lowest_rows.rows) {
    const row = Number(/\d+/.exec(inputs.question)?.[0])
    expect([value, row % 4, outputs]).toEqual([0, 0, [`answer ${row}`]])
  }
})

test('a run is drawn with a chart, and without what controls a terminal', async () => {
  const { code, out } = await run('show', a)
  expect(code).toBe(0)
  expect(out).toContain('40 rows · 40 trials · latency 119 ms median, 137 ms 95th percentile · 1180 tokens')
  expect(out).toMatch(/^exact\.match +75 % +59\.8 % … 85\.8 % +40 +100 %$/m)
  expect(out).toContain(`Rows by exact.match\n  0 % │${'█'.repeat(13)}▍ 10\n100 % │${'█'.repeat(40)} 30\n`)
  expect(out).toMatch(/Rows with the lowest exact\.match\nROW +SCORE +INPUTS +OUTPUT\n.* {2}0 % {2}\{"question":"Question \d+/)
  expect(out).not.toContain('\u001b')
})

test('without an id the newest run is shown; an unknown id is an error', async () => {
  expect((await json('show')).run).toMatchObject({ id: b, name: 'after' })
  const { code, note } = await run('show', 'no-such-run')
  expect([code, note]).toEqual([
    2,
    expect.stringContaining(`project ${project} has no evaluation run "no-such-run"; run \`heddle eval list\``),
  ])
})

test('two runs are compared on the rows of both', async () => {
  const compared = await json('compare', a, b)
  const onlyFirst = countOf(paired.map(({ first, second }) => first.match && !second.match))
  const onlySecond = countOf(paired.map(({ first, second }) => !first.match && second.match))
  const both = countOf(paired.map(({ first, second }) => first.match && second.match))
  const counts = { both, onlyFirst, onlySecond, neither: paired.length - both - onlyFirst - onlySecond }
  expect(compared.rows).toMatchObject({ both: 39, only_a: { count: 1 }, only_b: { count: 1 } })
  const [match, length, latency, tokens] = compared.measures
  expect(match).toMatchObject({
    name: 'exact.match',
    paired_rows: 39,
    only_a: 1,
    only_b: 1,
    is_rate: true,
    p_value: near(mcnemarExact(counts)),
  })
  expect(match.a.value).toBeCloseTo((both + onlyFirst) / 39, 9)
  expect(match.b.interval).toEqual(interval(wilsonInterval({ passed: both + onlySecond, trials: 39 }, 0.95)))
  expect(match.difference).toMatchObject({
    value: near((onlySecond - onlyFirst) / 39),
    interval: interval(pairedRateInterval(counts, 0.95)),
  })
  expect([match.higher_rows, match.lower_rows]).toEqual([onlySecond, onlyFirst])
  const difference = mean(paired.map(({ first, second }) => second.length - first.length))
  expect(length).toMatchObject({ name: 'length', p_value: null, difference: { value: near(difference), method: 'bca' } })
  expect(latency).toMatchObject({ name: 'model_latency_seconds', difference: { value: near(0.1) } })
  expect(tokens).toMatchObject({ name: 'total_tokens', difference: { value: 10, interval: { low: 10, high: 10 } } })
})

test('the rows that changed most come first, with what both models answered', async () => {
  const { changes } = await json('compare', a, b, '--scorer', 'length', '--rows', '4')
  expect([changes.name, changes.regressions.length, changes.improvements.length]).toEqual(['length', 4, 4])
  for (const { difference, inputs } of changes.regressions) {
    expect([difference, Number(/\d+/.exec(inputs.question)?.[0]) % 3]).toEqual([-0.5, 0])
  }
  for (const { difference, outputs, inputs } of changes.improvements) {
    const row = Number(/\d+/.exec(inputs.question)?.[0])
    expect([difference, row % 3, outputs]).toEqual([1.5, 2, [`answer ${row}`, `answer ${row}`]])
  }
  const slower = await json('compare', a, b, '--scorer', 'model_latency_seconds', '--rows', '1')
  expect(slower.changes).toMatchObject({ name: 'model_latency_seconds', regressions: [{ difference: near(0.1) }], improvements: [] })
})

test.each(['show', 'compare'])('%s of a score that is not there is an error', async (command) => {
  const { code, note } = await run(command, ...(command === 'show' ? [a] : [a, b]), '--scorer', 'exakt')
  expect([code, note]).toEqual([2, expect.stringContaining('no score named "exakt"; run `heddle eval show` without --scorer')])
})

test('the seed decides the bootstrap, and a lower confidence is narrower', async () => {
  const of = async (...args: string[]) => (await json('compare', a, b, '--scorer', 'length', ...args)).measures[0].difference.interval
  const [first, again, other, narrow] = [await of(), await of('--seed', '1'), await of('--seed', '2'), await of('--confidence', '0.6')]
  expect(again).toEqual(first)
  expect(other).not.toEqual(first)
  expect(narrow.high - narrow.low).toBeLessThan(first.high - first.low)
})

test('a comparison is drawn as tables and a chart, and names rows that one run alone has', async () => {
  const { out } = await run('compare', a, b)
  expect(out).toMatch(/^A {2}before · small:dddddddd · completed · 2026-01-02 03:04:05 UTC/)
  expect(out).toMatch(/^39 rows in both · 1 only in A \(\w+\) · 1 only in B \(\w+\)$/m)
  expect(out).toMatch(/^exact\.match +39 +76\.9 % \(.*\) +82\.1 % \(.*\) +\+5\.1 % /m)
  expect(out).toContain('Rows by the difference of exact.match, B - A\n-100 % │')
  expect(out).toContain('Worst regressions of exact.match')
  expect(out).toContain('Best improvements of exact.match')
})

test('trials of one row count once: a rate of several trials is a mean over rows', async () => {
  const trials = [true, true, false].map((match, index) => ({ example: { row: 1 }, output: index, scores: { match } }))
  const other = { example: { row: 2 }, scores: { match: false } }
  const id = await recordEvaluation(client, {
    project,
    name: 'trials',
    model: 'small',
    trials: [...trials, other],
    startedAtMs: Date.UTC(2025, 0, 1),
  })
  const { measures, rows: shownRows } = await json('show', id)
  expect(shownRows).toBe(2)
  expect(measures[0]).toMatchObject({ name: 'match', value: near(1 / 3), rows: 2, trials: 4, is_rate: true, method: 'bca' })
})

test('a run of more rows than a page is read whole, each row once, with progress beside the data', async () => {
  // The first page has 500 rows, the one after it up to 1,000.
  const shared = trials({ usual: 600, long: 1_200 })
  const all = Array.from({ length: shared + 1 }, (_, row) => ({ example: row, scores: { value: row } }))
  const fields = { project, name: 'large', model: 'small', startedAtMs: Date.UTC(2025, 0, 2) }
  const [first, second] = [
    await recordEvaluation(client, { ...fields, trials: all }),
    await recordEvaluation(client, { ...fields, trials: all.slice(1) }),
  ]
  const { out, note } = await run('compare', first, second, '--json', '--rows', '100')
  const { rows: sets, measures, changes } = JSON.parse(out)
  expect(sets).toMatchObject({
    both: shared,
    only_a: { count: 1, row_digests: [expect.any(String)] },
    only_b: { count: 0, row_digests: [] },
  })
  expect(measures[0]).toMatchObject({ name: 'value', paired_rows: shared, a: { value: (shared + 1) / 2 }, difference: { value: 0 } })
  expect(changes).toEqual({ name: 'value', regressions: [], improvements: [] })
  expect(note).toContain('Reading rows\nComputing intervals\n')
  const { lowest_rows } = await json('show', first, '--rows', '100')
  expect(lowest_rows.rows.map((one: { inputs: number }) => one.inputs)).toEqual(Array.from({ length: 100 }, (_, row) => row))
})

test.each([
  [['--rows', '101'], '--rows must be an integer from 0 to 100, got "101"'],
  [['--seed', '-1'], '--seed must be an integer from 0 to 4294967295, got "-1"'],
  [['--confidence', '95'], '--confidence must be a number from 0.5 to 0.999, got "95"'],
])('compare with %j is refused', async (flags, message) => {
  const { code, note } = await run('compare', 'a', 'b', ...flags)
  expect([code, note]).toEqual([2, expect.stringContaining(message)])
})
