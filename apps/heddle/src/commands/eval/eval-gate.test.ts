import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import type { TestServer } from '../../test-server/create-test-server.ts'
import { shareBuiltTestServer } from '../../testing/built-test-server.ts'
import { recordEvaluation } from '../../testing/record-evaluation.ts'
import { runCommand, runCommandHere } from '../../testing/run-command.ts'

// Each test starts a command or two, which a busy machine makes wait.
vi.setConfig({ testTimeout: 120_000 })

const folder = mkdtempSync(join(tmpdir(), 'heddle-gate-'))
let server: TestServer
let project: string
const runs: Record<string, string> = {}

/** 100 rows, all scored but the last `unscored`. */
const trialsOf = (passes: (row: number) => boolean, unscored = 0) =>
  Array.from({ length: 100 }, (_, row) => ({
    example: { row },
    output: row,
    scores: row < 100 - unscored ? { exact: { match: passes(row) } } : {},
  }))

beforeAll(async () => {
  server = await shareBuiltTestServer()
  project = server.newProject()
  const client = createClient({ baseUrl: server.url, apiKey: server.apiKey, contract: tracing })
  const record = async (name: string, fields: Partial<Parameters<typeof recordEvaluation>[1]>) => {
    runs[name] = await recordEvaluation(client, { project, name, model: name, trials: [], ...fields })
  }
  await record('baseline', { trials: trialsOf((row) => row % 10 !== 0) })
  await record('better', { trials: trialsOf((row) => row % 20 !== 0) })
  await record('similar', { trials: trialsOf((row) => row % 10 !== 1) })
  await record('worse', { trials: trialsOf((row) => row % 2 !== 0) })
  await record('crashing', { trials: trialsOf((row) => row % 20 !== 0, 5) })
  await record('running', { isRunning: true, trials: trialsOf(() => true) })
  await record('ended', { exception: 'no more memory', trials: trialsOf(() => true) })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

function argsOf(args: readonly string[]) {
  const named = args.map((arg) => runs[arg] ?? arg)
  return [['eval', 'gate', '--project', project, '--url', server.url, ...named], { HEDDLE_API_KEY: server.apiKey }] as const
}
const gate = (...args: string[]) => runCommandHere(...argsOf(args))
/** As a process of its own. */
const gateAlone = (...args: string[]) => runCommand(...argsOf(args))

test.each([
  ['a mean above its bound', ['--candidate', 'better', '--min', 'exact.match>=0.95'], 0, ['passed']],
  ['a mean below its bound', ['--candidate', 'better', '--min', 'exact.match>0.95'], 1, ['failed']],
  ['slow models', ['--candidate', 'better', '--max', 'model_latency_seconds<=0.001', '--max', 'total_tokens<=5'], 1, ['failed', 'passed']],
  ['an improvement', ['--baseline', 'baseline', '--candidate', 'better', '--max-drop', 'exact.match=0.02'], 0, ['passed']],
  ['a clear drop', ['--baseline', 'baseline', '--candidate', 'worse', '--max-drop', 'exact.match=0.02'], 1, ['failed']],
  ['noise', ['--baseline', 'baseline', '--candidate', 'similar', '--max-drop', 'exact.match=0.02'], 2, ['undecided']],
  ['noise within its limit', ['--baseline', 'baseline', '--candidate', 'similar', '--max-drop', 'exact.match=0.2'], 0, ['passed']],
  ['a clear rise', ['--baseline', 'worse', '--candidate', 'better', '--max-rise', 'exact.match=0.1'], 1, ['failed']],
  ['missing scores', ['--candidate', 'crashing', '--min', 'exact.match>=0.9'], 2, ['undecided']],
  ['missing scores that are allowed', ['--candidate', 'crashing', '--min', 'exact.match>=0.9', '--min-coverage', '0.95'], 0, ['passed']],
  ['an unknown score', ['--candidate', 'better', '--min', 'exakt>=0.9'], 2, ['undecided']],
])('%s: the exit code says so', async (_case, args, code, outcomes) => {
  const command = await gate(...args, '--json')
  const answer = JSON.parse(command.out)
  expect([command.code, answer.rules.map((rule: { outcome: string }) => rule.outcome)]).toEqual([code, outcomes])
  expect({ 0: 'passed', 1: 'failed', 2: 'undecided' }[code]).toBe(answer.outcome)
})

test.each([
  ['a rule that is none', ['--candidate', 'better', '--min', 'exact.match'], '--min must be "<score>>=<number>"'],
  ['no rule', ['--candidate', 'better'], 'a gate needs a rule: --min, --max, --max-drop or --max-rise'],
  ['no baseline', ['--candidate', 'better', '--max-drop', 'exact.match=0.1'], '--max-drop and --max-rise need --baseline'],
  ['one run twice', ['--baseline', 'better', '--candidate', 'better', '--min', 'a>=1'], 'must be different evaluation runs'],
  ['no candidate', ['--min', 'exact.match>=0.9'], "required option '--candidate <run-id>' not specified"],
  ['an unknown flag', ['--candidate', 'better', '--minimum', 'a>=1'], "unknown option '--minimum'"],
  ['an unknown run', ['--candidate', 'nobody', '--min', 'a>=1'], 'has no evaluation run "nobody"'],
  [
    'a share beyond 1',
    ['--candidate', 'better', '--min', 'a>=1', '--min-coverage', '95'],
    '--min-coverage must be a number from 0 to 1, got "95"',
  ],
  ['a run that has not ended', ['--candidate', 'running', '--min', 'a>=1'], 'is still running; a gate needs completed runs'],
  ['a run that failed', ['--candidate', 'ended', '--min', 'a>=1'], 'failed: no more memory; a gate needs completed runs'],
  [
    'a report that cannot be written',
    ['--candidate', 'better', '--min', 'exact.match>=0', '--junit', join(folder, 'no', 'file')],
    'cannot write --junit',
  ],
  ['a server that is not there', ['--candidate', 'better', '--min', 'a>=1', '--url', 'http://127.0.0.1:9'], 'is the server running?'],
])('with %s nothing is decided: exit code 2', async (_case, args, message) => {
  const { code, out, note } = await gate(...args)
  expect([code, out, note]).toEqual([2, '', expect.stringContaining(message)])
})

test('verdicts are a table, and a JUnit report for CI', async () => {
  const junit = join(folder, 'report.xml')
  const rules = ['--min', 'exact.match>=0.9', '--min', 'a "score" & <more>>=0', '--max-drop', 'exact.match=0.02']
  const { code, out } = await gate('--baseline', 'baseline', '--candidate', 'worse', ...rules, '--junit', junit)
  expect(code).toBe(1)
  expect(out).toMatch(/^failed +exact\.match>=0\.9 +50 % +40\.4 % … 59\.6 % +100 %$/m)
  expect(out).toMatch(/^failed +--max-drop exact\.match=0\.02 +-40 % /m)
  expect(out).toContain('a "score" & <more>>=0: the candidate has no score "a "score" & <more>"; it has "exact.match"')
  const report = readFileSync(junit, 'utf8')
  expect(report).toContain('tests="3" failures="2" errors="1"')
  expect(report).toContain('name="a &#34;score&#34; &#38; &#60;more&#62;&#62;=0"')
})

const endings: [code: number, rules: string[]][] = [
  [1, ['--min', 'exact.match>=0.99']],
  [0, ['--min', 'exact.match>=0.9']],
  [2, ['--min', 'exakt>=0.9']],
  [2, ['--minimum', 'a>=1']],
]

// The process ends with the code of the command, so that one code represents all.
test.each(inject('long') ? endings : endings.slice(0, 1))('the process ends with %i after %j', async (code, rules) => {
  expect((await gateAlone('--candidate', 'better', ...rules)).code).toBe(code)
})

test('help names the exit codes', async () => {
  const { code, out } = await gate('--help')
  expect([code, out]).toEqual([0, expect.stringContaining('Exit code: 0 all rules passed, 1 a rule failed, 2 it could not be decided')])
})
