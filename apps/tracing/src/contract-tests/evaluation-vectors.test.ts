import { afterAll, beforeAll, describe, test } from 'vitest'
import { startTestApp, type TestApp, type TestClient } from '../testing/start-test-app.ts'
import vectors from '../vectors/evaluation-v2-vectors.json' with { type: 'json' }
import { findCalls } from './testing/call-builders.ts'
import { runStepInOneForm } from './testing/recorded-runs.ts'
import { createReplay, type RecordedStep } from './testing/recorded-sequence.ts'

const place = { entity: 'acme', project: 'demo' }
const project_id = 'acme/demo'

type Request = Record<string, unknown>
type Group = 'ops' | 'datasets' | 'scorers' | 'models' | 'evaluations'

let app: TestApp
let replay: ReturnType<typeof createReplay>
beforeAll(async () => {
  app = await startTestApp({ own: {} })
  replay = createReplay(operationsOf(await app.clientFor({ name: 'u1', role: 'admin' })))
})
afterAll(() => app.close())

/** The operations of the sequence by their recorded names. */
function operationsOf(client: TestClient): Record<string, (request: Request) => Promise<unknown>> {
  const inPlace = (request: Request) => ({ ...place, ...request }) as never
  const collection = (name: string, group: Group): [string, (request: Request) => Promise<unknown>][] => [
    [`${name}_create`, (request) => client[group].create(inPlace(request))],
    [`${name}_read`, (request) => client[group].read(inPlace(request))],
    [`${name}_list`, (request) => gather(client[group].list(inPlace(request)))],
    [`${name}_delete`, (request) => client[group].delete(inPlace(request))],
  ]
  return Object.fromEntries([
    ...collection('op', 'ops'),
    ...collection('dataset', 'datasets'),
    ...collection('scorer', 'scorers'),
    ...collection('model', 'models'),
    ...collection('evaluation', 'evaluations'),
    ['evaluation_run_create', (request) => client.evaluationRuns.create(inPlace(request))],
    ['evaluation_run_read', (request) => client.evaluationRuns.read(inPlace(request))],
    ['evaluation_run_list', ({ filter }) => gather(client.evaluationRuns.list(inPlace(filter as Request)))],
    ['evaluation_run_finish', (request) => client.evaluationRuns.finish(inPlace(request))],
    ['evaluation_run_delete', (request) => client.evaluationRuns.delete(inPlace(request))],
    ['prediction_create', (request) => client.predictions.create(inPlace(request))],
    ['prediction_read', (request) => client.predictions.read(inPlace(request))],
    ['prediction_list', (request) => gather(client.predictions.list(inPlace(request)))],
    ['prediction_finish', (request) => client.predictions.finish(inPlace(request))],
    ['prediction_delete', (request) => client.predictions.delete(inPlace(request))],
    ['score_create', (request) => client.scores.create(inPlace(request))],
    ['score_read', (request) => client.scores.read(inPlace(request))],
    ['score_list', (request) => gather(client.scores.list(inPlace(request)))],
    ['score_delete', (request) => client.scores.delete(inPlace(request))],
    ['eval_results_query', (request) => client.evalResults.query(inPlace(request))],
    ['calls_in_project', () => findCalls(client, { project_id })],
    ['feedback_in_project', async () => (await client.feedback.query({ project_id })).result],
    ['evaluation_status', (request) => client.evaluations.status({ project_id, ...request } as never)],
    ['evaluate_model', (request) => client.evaluations.evaluateModel({ project_id, ...request } as never)],
    ['calls_score', (request) => client.scores.scoreCalls({ project_id, ...request } as never)],
    ['obj_read', async (request: Request) => (await client.objects.read({ project_id, ...request } as never)).obj],
  ])
}

async function gather(lines: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = []
  for await (const line of lines) all.push(line)
  return all
}

/** What clients published between the recorded steps. */
const published: Partial<Record<string, { object_id: string; val: Request }>> = {
  'model_read sdk_model': { object_id: 'sdk_model', val: { ...classesOf('SdkModel', 'Model'), prompt: 'p', name: null } },
  'evaluation_read sdk_eval': {
    object_id: 'sdk_eval',
    val: { ...classesOf('Evaluation'), name: null, scorers: null, predictAndScore: 'x', evaluate: { op: 1 } },
  },
}

function classesOf(leaf: string, ...bases: string[]): Request {
  return { _type: leaf, _class_name: leaf, _bases: [...bases, 'Object', 'BaseModel'] }
}

/** The step in one form: of some lists only names were recorded, and of one object only its value. */
function inOneForm(step: RecordedStep): RecordedStep {
  const toEntry = (entry: unknown) => (typeof entry === 'string' ? { object_id: entry } : entry)
  // A model whose attributes have the names of its own fields is refused, so it is not listed.
  const isStored = (entry: unknown) => (entry as { object_id?: string }).object_id !== 'over'
  const toAnswer = (answer: unknown) => {
    if (Array.isArray(answer)) return answer.map(toEntry).filter(isStored)
    return (answer as Request | undefined)?.['_type'] === undefined
      ? answer
      : { val: { ...(answer as Request), ...(step.heddle as Request) } }
  }
  return { ...step, reference: toAnswer(step.reference), heddle: step.call === 'obj_read' ? undefined : toAnswer(step.heddle) }
}

const sections = new Map<string, RecordedStep[]>()
for (const step of vectors.steps as RecordedStep[]) {
  if (step.section !== undefined) sections.set(step.section, [])
  else [...sections.values()].at(-1)?.push(step)
}

const stepsOf = (section: string) =>
  (sections.get(section) ?? []).map((step, at) => ({
    name: `${at} ${step.call ?? Object.keys(step)[0]} ${JSON.stringify(step.request)}`,
    step,
  }))

describe.each(['ops', 'datasets', 'scorers', 'models', 'evaluations'])('%s answer as recorded', (section) => {
  test.each(stepsOf(section))('$name', async ({ step }) => {
    const object = published[`${step.call} ${String(step.request?.['object_id'])}`]
    if (object !== undefined) await app.client.objects.create({ obj: { project_id, ...object } })
    await replay(inOneForm(step))
  })
})

describe('evaluation runs, predictions and scores answer as recorded', () => {
  const steps = stepsOf('evaluation runs, predictions, scores')

  test.each(steps)('$name', ({ step }) => replay(runStepInOneForm(step as RecordedStep & Request)))
})

describe('the status of evaluations answers as recorded', () => {
  // The recorded id of the call is not one that calls may have.
  const id = '00000000-0000-7000-8000-0000000000c1'
  const withId = (step: RecordedStep) => JSON.parse(JSON.stringify(step).replace('"c1"', JSON.stringify(id))) as RecordedStep

  beforeAll(async () => {
    const call = { project_id, id, trace_id: id, op_name: 'plain', started_at: '2026-01-01T00:00:00Z', inputs: {}, attributes: {} }
    await app.client.calls.start({ start: call })
  })

  test.each(stepsOf('evaluation status and jobs'))('$name', ({ step }) => replay(withId(step)))
})
