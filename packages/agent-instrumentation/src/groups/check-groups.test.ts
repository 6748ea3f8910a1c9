import { expect, test } from 'vitest'
import type { RecordedGroup, RecordedTrajectory } from '../trajectory/recorded.ts'
import { checkGroups } from './check-groups.ts'

const scored = { content: [{ token: 'token_id:1', logprob: -1 }] }
const choice = (more: object = {}) => ({
  index: 0,
  finish_reason: 'stop',
  message: { role: 'assistant', content: 'a' },
  logprobs: scored,
  ...more,
})

function trajectory(reward: number, more: Partial<RecordedTrajectory> = {}): RecordedTrajectory {
  return {
    messages_and_choices: [{ role: 'user', content: 'q' }, choice()],
    tools: null,
    additional_histories: [],
    reward,
    initial_policy_version: 3,
    final_policy_version: 3,
    metrics: {},
    metadata: {},
    logs: [],
    start_time: '2026-01-01T00:00:00.000Z',
    ...more,
  }
}

function group(trajectories: RecordedTrajectory[], exceptions: RecordedGroup['exceptions'] = []): RecordedGroup {
  return { trajectories, exceptions, metadata: { group_id: 'g' }, metrics: {}, logs: [] }
}

test('groups with different rewards are trainable, and nothing is wrong with them', () => {
  expect(checkGroups([group([trajectory(0), trajectory(1)])])).toEqual({
    groups: 1,
    trainableGroups: 1,
    trajectories: 2,
    failedAttempts: 0,
    reward: { mean: 0.5, min: 0, max: 1 },
    logprobs: { complete: 2, partial: 0, none: 0 },
    warnings: [],
  })
})

test('no groups have no reward', () => {
  expect(checkGroups([])).toMatchObject({ groups: 0, reward: null, warnings: [] })
})

const failed = { type: 'Error', message: 'm', traceback: null }

test.each<[string, RecordedGroup, string]>([
  ['equal rewards', group([trajectory(1), trajectory(1)]), 'all rewards are equal'],
  ['one attempt left', group([trajectory(1)], [failed]), '1 of its attempts finished'],
  ['versions far apart', group([trajectory(0), trajectory(1, { final_policy_version: 9 })]), '6 steps apart'],
  [
    'a cut attempt',
    group([trajectory(0), trajectory(1, { messages_and_choices: [choice({ finish_reason: 'length' })] })]),
    '1 of its attempts were cut',
  ],
  [
    'missing log-probabilities',
    group([trajectory(0), trajectory(1, { messages_and_choices: [choice({ logprobs: null })] })]),
    'without log-probabilities',
  ],
  [
    'a sub-agent without log-probabilities',
    group([trajectory(0), trajectory(1, { additional_histories: [{ messages_and_choices: [choice({ logprobs: null })], tools: null }] })]),
    'without log-probabilities',
  ],
])('%s are warned of, with the group', (_, bad, warning) => {
  const { warnings } = checkGroups([bad])
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toContain('group g: ')
  expect(warnings[0]).toContain(warning)
})
