import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Access, type KillableServers, sendTo, type Server, startKillableServers } from './testing/killable-server.ts'
import { writeUntilKilled } from './testing/write-until-killed.ts'

let servers: KillableServers
beforeAll(async () => {
  servers = await startKillableServers()
})
afterAll(() => servers.close())

const project_id = 'crash/evaluations'
const base = `/v2/${project_id}`
const scorers = ['acc', 'judge']

type Json = Record<string, unknown>
interface Call extends Json {
  id: string
  parent_id: string | null
  ended_at: string | null
  output: Json | null
  attributes: { weave?: Record<string, string> }
}

/** What a writer does next. It names what earlier answers named, so a write whose predecessor got no answer is never sent. */
interface Write {
  kind: 'run' | 'prediction' | 'score' | 'finishPrediction' | 'finishRun'
  /** Unique within the round of the writer. */
  name: string
  path(ids: Map<string, string>): string
  body(ids: Map<string, string>): Json
}

const id = (ids: Map<string, string>, name: string) => ids.get(name) ?? ''

/** A run with two predictions and two scores of each, all finished at the end. */
function story(writer: number, round: number): Write[] {
  const run = `run-${writer}-${round}`
  const ofPrediction = (prediction: string): Write[] => [
    {
      kind: 'prediction',
      name: prediction,
      path: () => `${base}/predictions`,
      body: (ids) => ({ model: 'm', inputs: { name: prediction }, output: 1, evaluation_run_id: id(ids, run) }),
    },
    ...scorers.map((scorer): Write => ({
      kind: 'score',
      name: `${prediction}-${scorer}`,
      path: () => `${base}/scores`,
      body: (ids) => ({
        prediction_id: id(ids, prediction),
        scorer: `weave:///${project_id}/object/${scorer}:d`,
        value: 0.5,
        evaluation_run_id: id(ids, run),
      }),
    })),
    { kind: 'finishPrediction', name: prediction, path: (ids) => `${base}/predictions/${id(ids, prediction)}/finish`, body: () => ({}) },
  ]
  return [
    { kind: 'run', name: run, path: () => `${base}/evaluation_runs`, body: () => ({ evaluation: run, model: 'm' }) },
    ...ofPrediction(`${run}-p0`),
    ...ofPrediction(`${run}-p1`),
    { kind: 'finishRun', name: run, path: (ids) => `${base}/evaluation_runs/${id(ids, run)}/finish`, body: () => ({}) },
  ]
}

/** Sends a write, and notes the id that it was given. */
function sender(ids: Map<string, string>) {
  return async ({ url, apiKey }: Access, write: Write): Promise<boolean> => {
    const response = await sendTo(url, apiKey, { path: write.path(ids), body: JSON.stringify(write.body(ids)) })
    if (response === undefined) return false
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${write.kind} ${write.name} answered ${response.status}: ${text}`)
    const [made] = Object.values(JSON.parse(text) as Json)
    if (typeof made === 'string') ids.set(write.name, made)
    return true
  }
}

async function readAll<T>({ url }: Server, apiKey: string, path: string): Promise<T> {
  const response = await sendTo(url, apiKey, { path, body: JSON.stringify({ project_id }) })
  if (response === undefined) throw new Error(`${path} was not answered`)
  return (await response.json()) as T
}

async function readCalls(server: Server, apiKey: string): Promise<Call[]> {
  return (await readAll<{ calls: Call[] }>(server, apiKey, '/calls/query')).calls
}

/** Each score that is there is feedback on its prediction too. */
async function checkFeedback(calls: readonly Call[], server: Server, apiKey: string): Promise<void> {
  const { result: rows } = await readAll<{ result: Record<string, string>[] }>(server, apiKey, '/feedback/query')
  const given = new Set(rows.map(({ weave_ref, runnable_ref }) => `${weave_ref} ${runnable_ref}`))
  const scores = calls.flatMap(({ attributes }) => (attributes.weave?.['score'] === 'true' ? [attributes.weave] : []))
  const wanted = scores.map(({ prediction_id, scorer }) => `weave:///${project_id}/call/${prediction_id} ${scorer}`)
  expect(wanted.filter((feedback) => !given.has(feedback))).toEqual([])
}

/** How many calls of each kind one write makes. */
function countsOf(calls: readonly Call[], write: Write, ids: Map<string, string>): number {
  const marked = (mark: string) => calls.filter(({ attributes }) => attributes.weave?.[mark] === 'true')
  switch (write.kind) {
    case 'run':
      return marked('evaluation_run').filter(({ attributes }) => attributes.weave?.['evaluation'] === write.name).length
    case 'prediction':
      return marked('prediction').filter(({ inputs }) => (inputs as { inputs: Json }).inputs['name'] === write.name).length
    case 'score':
      return marked('score').filter(({ attributes }) => {
        const { prediction_id = '', scorer = '' } = attributes.weave ?? {}
        return scorers.some(
          (name) =>
            write.name.endsWith(`-${name}`) &&
            scorer.includes(`/${name}:`) &&
            id(ids, write.name.slice(0, -name.length - 1)) === prediction_id,
        )
      }).length
    case 'finishPrediction':
      return calls.filter(({ attributes, ended_at }) => ended_at !== null && attributes.weave?.['predict_call_id'] === id(ids, write.name))
        .length
    case 'finishRun':
      return calls.filter((call) => call.id === id(ids, write.name) && call.ended_at !== null).length
  }
}

/** No write may be stored by half. */
function checkWholes(calls: readonly Call[]): void {
  const byId = new Map(calls.map((call) => [call.id, call]))
  for (const call of calls) {
    const { predict_call_id } = call.attributes.weave ?? {}
    if (predict_call_id !== undefined) expect(byId.get(predict_call_id)).toMatchObject({ parent_id: call.id, ended_at: expect.any(String) })
    if (call.parent_id !== null) expect(byId.has(call.parent_id)).toBe(true)
    if (call['op_name'] === 'Evaluation.summarize') expect(byId.get(call.parent_id ?? '')).toMatchObject({ output: call.output })
  }
  const ended = calls.filter(({ attributes, ended_at }) => attributes.weave?.['evaluation_run'] === 'true' && ended_at !== null)
  expect(
    calls
      .filter((call) => call['op_name'] === 'Evaluation.summarize')
      .map((call) => call.parent_id)
      .toSorted(),
  ).toEqual(ended.map((run) => run.id).toSorted())
}

test('a server that is killed in the middle of evaluations has each write as a whole or not at all, and every acknowledged one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 60 }), async (killAfter) => {
      const ids = new Map<string, string>()
      const send = sender(ids)
      const { dataDir, apiKey, acknowledged, unanswered } = await writeUntilKilled<Write>({
        servers,
        killAfter,
        writers: 6,
        workOf: story,
        send,
      })
      const again = await servers.start(dataDir, apiKey)
      try {
        const calls = await readCalls(again, apiKey)
        checkWholes(calls)
        await checkFeedback(calls, again, apiKey)
        for (const write of acknowledged) expect([write.kind, write.name, countsOf(calls, write, ids)]).toEqual([write.kind, write.name, 1])
        for (const write of unanswered) expect(countsOf(calls, write, ids)).toBeLessThanOrEqual(1)
        // Finishes are sent again, as clients do: what was finished stays as it is.
        const finished = [...acknowledged, ...unanswered].filter(({ kind }) => kind === 'finishRun' || kind === 'finishPrediction')
        for (const write of finished) expect(await send({ url: again.url, apiKey }, write)).toBe(true)
        const after = await readCalls(again, apiKey)
        checkWholes(after)
        const wereEnded = new Map(calls.filter(({ ended_at }) => ended_at !== null).map((call) => [call.id, call]))
        expect(after.filter((call) => wereEnded.has(call.id))).toEqual([...wereEnded.values()])
        for (const write of finished) expect(countsOf(after, write, ids)).toBe(1)
      } finally {
        await servers.kill(again)
      }
    }),
    { numRuns: trials({ usual: 1, long: 20 }) },
  )
}, 1_200_000)
