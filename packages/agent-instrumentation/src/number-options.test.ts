import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  collectGivenGroups,
  type CollectGivenOptions,
  collectGroups,
  type CollectOptions,
  gatherGroups,
  type GatherOptions,
  planTraining,
  runScorer,
  type ScorerRun,
  type TraceFilter,
  type TraceSource,
} from './from-traces/index.ts'
import type { PlanOptions } from './from-traces/plan-training.ts'
import {
  type CheckOptions,
  createAgentTracing,
  createRuler,
  type GroupOptions,
  type RecordedGroup,
  type RulerOptions,
  writeGroups,
} from './index.ts'

const notFinite = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]

/** Names of the options that take a number: one without a trial here does not compile. */
type NumberOptions<Options> = { [K in keyof Options]-?: number extends Options[K] ? K : never }[keyof Options]
type Trials<Options> = Record<NumberOptions<Options>, true>

/** Fails the test if anything is sent. */
const refuseToSend = () => Promise.reject(new Error('sent'))
const agent = createAgentTracing({ model: { id: 'm' }, fetch: refuseToSend, environment: {} })
const refuse = new Proxy({}, { get: () => new Proxy({}, { get: () => refuseToSend }) })
const source: TraceSource = { client: refuse as TraceSource['client'], project: 'e/p' }
const collecting = {
  filter: {},
  groupBy: { by: 'prompt' },
  reward: { from: 'feedback', type: 'stars', path: undefined },
  withoutLogprobs: true,
  isPolicy: () => true,
  keepFailed: false,
} as const
const noGroups = { traces: 0, groups: [], excluded: new Map(), warnings: [] }
const none = (async function* () {})()

const groupOptions: Trials<GroupOptions> = { attempts: true, concurrency: true }
const checkOptions: Trials<CheckOptions> = { maxVersionSpread: true }
const rulerOptions: Trials<RulerOptions> = { tries: true, timeoutMs: true }
const collectOptions: Trials<CollectOptions> = { maxTraces: true, maxTokens: true }
const gatherOptions: Trials<GatherOptions> = { maxTraces: true, maxTokens: true }
const filterOptions: Trials<TraceFilter> = { since: true, until: true }
const givenOptions: Trials<CollectGivenOptions> = { maxTokens: true }
const planOptions: Trials<PlanOptions> = { maxTokens: true }
const scorerOptions: Trials<ScorerRun> = { maxTraces: true, stallMs: true, pollMs: true }

type Option = Record<string, number>
test.each<[string, object, (option: Option) => unknown]>([
  ['group', groupOptions, (option) => agent.group(option)],
  ['dryRun', checkOptions, (option) => agent.dryRun([], option)],
  ['createRuler', rulerOptions, (option) => createRuler({ model: 'm', baseUrl: 'http://judge.test', ...option })],
  ['collectGroups', collectOptions, (option) => collectGroups(source, { ...collecting, ...option })],
  ['the filter of collectGroups', filterOptions, (filter) => collectGroups(source, { ...collecting, filter })],
  ['gatherGroups', gatherOptions, (option) => gatherGroups(source, { ...collecting, ...option })],
  ['collectGivenGroups', givenOptions, (option) => collectGivenGroups(none, { withoutLogprobs: true, ...option })],
  ['planTraining', planOptions, (option) => planTraining(noGroups, option)],
  ['runScorer', scorerOptions, (option) => runScorer(source, { filter: {}, scorer: 's', ...option })],
  ['the filter of runScorer', filterOptions, (filter) => runScorer(source, { filter, scorer: 's' })],
])('%s refuses each number that is not finite by name', async (_, options, run) => {
  for (const name of Object.keys(options))
    for (const number of notFinite)
      await expect(async () => run({ [name]: number })).rejects.toThrow(new RegExp(`^${name} must be a .*, got ${number}$`))
})

test('groups and settings with a number that is not finite are refused by its place, before anything is sent or written', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-numbers-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const number of notFinite) {
    const groups = [groupWith({ reward: number })]
    const place = `0.trajectories.0.reward is ${number}`
    expect(() => agent.dryRun(groups)).toThrow(`groups.${place}`)
    await expect(agent.log('train', groups)).rejects.toThrow(`trajectory_groups.${place}`)
    const config = { allow_training_without_logprobs: true }
    await expect(agent.train(groups, { config })).rejects.toThrow(`trajectory_groups.${place}`)
    await expect(writeGroups(join(folder, 'groups.jsonl'), groups)).rejects.toThrow(`trajectories.0.reward is ${number}`)
    for (const name of ['learning_rate', 'kl_penalty_coef'])
      await expect(agent.train([groupWith({ reward: 1 })], { config: { ...config, [name]: number } })).rejects.toThrow(
        `experimental_config.${name} is ${number}`,
      )
  }
})

test('a trajectory refuses numbers that are not finite as reward, metric and metadata, by name', () => {
  const trajectory = agent.group().start()
  for (const number of notFinite) {
    expect(() => trajectory.reward(number)).toThrow(`the reward must be a finite number, got ${number}`)
    expect(() => trajectory.metric('steps', number)).toThrow(`metric "steps" must be a finite number, got ${number}`)
    expect(() => trajectory.metadata('size', number)).toThrow(`metadata "size" must be a finite number, got ${number}`)
  }
})

function groupWith({ reward }: { reward: number }): RecordedGroup {
  const trajectory = { messages_and_choices: [{ role: 'user', content: 'q' }], additional_histories: [], reward, metrics: {}, logs: [] }
  return { trajectories: [trajectory], exceptions: [], metadata: {}, metrics: {}, logs: [] } as unknown as RecordedGroup
}
