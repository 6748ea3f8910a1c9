import { expect, test } from 'vitest'
import { createUsageOfTrials } from './usage-of-trials.ts'

const call = (id: string, parentId: string | null, startedAt: number) => ({ id, parentId, startedAt, endedAt: null, may_name_spans: false })
const used = (call_id: string, tokens: number) => ({ call_id, tokens, usage: [] })
const span = (span_id: string) => ({ trace_id: 't', span_id })

/** A trial with a predict call and a scorer, and a trace of an agent with two calls. */
function aUsage(named: Readonly<Record<string, readonly string[]>>, most = 100) {
  const usage = createUsageOfTrials()
  usage.addCalls({
    calls: [call('trial', null, 0), call('predict', 'trial', 1), call('scorer', 'trial', 2)],
    usage: [used('predict', 1), used('scorer', 10)],
  })
  usage.addCalls({
    calls: [call('agent', null, 0), call('chat', 'agent', 1), call('tool', 'agent', 2)],
    usage: [used('chat', 100), used('tool', 1_000)],
  })
  const spans = new Map(Object.entries(named).map(([id, ids]) => [id, ids.map(span)]))
  return { usage, isAdded: usage.addSpans(spans, most) }
}
const tokensOf = (named: Readonly<Record<string, readonly string[]>>, predictId: string | null = 'predict') =>
  aUsage(named).usage.of({ trialId: 'trial', predictId })?.tokens

test.each([
  ['nothing', {}, 1],
  ['a span with those below it', { trial: ['agent'] }, 1_101],
  ['a span and one below it', { trial: ['chat', 'agent', 'chat'] }, 1_101],
  ['a span below another', { predict: ['tool'] }, 1_001],
  ['its own calls', { predict: ['predict'], trial: ['trial'] }, 11],
  ['a span that names others', { trial: ['chat'], chat: ['tool'], tool: ['chat'] }, 1_101],
  ['a span that is not there', { trial: ['gone'] }, 1],
  ['what the scorer names', { scorer: ['agent'] }, 1],
])('a trial that names %s counts each call once', (_, named, tokens) => expect(tokensOf(named)).toBe(tokens))

test('a whole trial has the spans that any call of it names', () => expect(tokensOf({ scorer: ['chat'] }, null)).toBe(111))

test('spans with too many calls below them are not added', () => {
  expect(aUsage({ trial: ['agent'], predict: ['chat'] }, 4).isAdded).toBe(true)
  const { usage, isAdded } = aUsage({ trial: ['agent'], predict: ['chat'] }, 3)
  expect([isAdded, usage.of({ trialId: 'trial', predictId: 'predict' })?.tokens]).toEqual([false, 1])
})

test('a trial of a trace that was not added has no usage', () => {
  const { usage } = aUsage({})
  expect([usage.has('other'), usage.of({ trialId: 'other', predictId: null })]).toEqual([false, undefined])
})
