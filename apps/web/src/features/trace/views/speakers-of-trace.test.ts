import { buildTree } from '@heddle/trace-model'
import { describe, expect, test } from 'vitest'
import { aTraceCall } from '../testing/trace-call.ts'
import type { TraceCall } from '../trace-queries.ts'
import { shownSpeakers, speakersOfTrace } from './speakers-of-trace.ts'

const agent = (id: string, parentId: string | null = null, startedAt = 0) =>
  aTraceCall({ id, parentId, startedAt, kind: 'agent', isModelCall: false })
const model = (id: string, parentId: string | null, startedAt = 1) => aTraceCall({ id, parentId, startedAt })
const step = (id: string, parentId: string | null = null) => aTraceCall({ id, parentId, kind: 'other', isModelCall: false })

const speakersOf = (...calls: TraceCall[]) =>
  speakersOfTrace(
    buildTree(calls),
    calls.filter(({ isModelCall }) => isModelCall).map((call) => [call] as const),
  )

/** Names of the spans that are shown where some hold messages; the others have been read and hold none. */
const shown = (calls: TraceCall[], ...speaking: string[]) =>
  shownSpeakers(speakersOf(...calls), new Map(calls.map(({ id }) => [id, speaking.includes(id) ? ['said'] : []]))).map(
    ({ call }) => call.id,
  )

test('requests to models, agents and roots may hold messages, in the order of their starts', () => {
  const calls = [step('root'), agent('plan', 'root', 2), step('tool', 'plan'), model('second', 'plan', 3), model('first', 'root', 1)]
  expect(speakersOf(...calls).map(({ reports, isRequest, aroundId }) => [reports[0].id, isRequest, aroundId])).toEqual([
    ['root', false, undefined],
    ['first', true, 'root'],
    ['plan', false, 'root'],
    ['second', true, 'plan'],
  ])
})

test('reports of one request are one speaker', () => {
  const [one, other] = [model('outer', null), model('inner', 'outer')]
  expect(speakersOfTrace(buildTree([one, other]), [[other, one]]).map(({ reports }) => reports)).toEqual([[other, one]])
})

describe('what is shown', () => {
  const trace = [agent('outer'), agent('inner', 'outer', 1), model('chat', 'inner', 2), model('other', 'outer', 3)]

  test.each([
    { when: 'the requests speak', speaking: ['outer', 'inner', 'chat', 'other'], shows: ['chat', 'other'] },
    { when: 'one request around which agents repeat it speaks', speaking: ['outer', 'inner', 'chat'], shows: ['chat', 'other'] },
    { when: 'the requests of an agent are silent', speaking: ['outer', 'inner', 'other'], shows: ['inner', 'chat', 'other'] },
    { when: 'agents alone speak, the inner one', speaking: ['outer', 'inner'], shows: ['inner', 'chat', 'other'] },
    { when: 'the outer agent alone speaks', speaking: ['outer'], shows: ['outer', 'chat', 'other'] },
    { when: 'nothing speaks, the requests', speaking: [], shows: ['chat', 'other'] },
  ])('where $when', ({ speaking, shows }) => expect(shown(trace, ...speaking)).toEqual(shows))

  test('a root that used no model is shown where it speaks', () => {
    expect(shown([step('root'), step('below', 'root')], 'root')).toEqual(['root'])
    expect(shown([step('root'), step('below', 'root')])).toEqual([])
  })

  test('nothing of what is not read', () => expect(shownSpeakers(speakersOf(...trace), new Map())).toEqual([]))
})
