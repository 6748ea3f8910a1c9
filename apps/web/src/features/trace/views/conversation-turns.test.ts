import { JsonNumber } from '@heddle/json/exact'
import type { Message } from '@heddle/trace-model'
import { expect, test } from 'vitest'
import { sharedStart, turnsOf } from './conversation-turns.ts'

const text = (role: string, said: string): Message => ({ role, parts: [{ type: 'text', text: said }] })
const called = (id: string): Message => ({ role: 'assistant', parts: [{ type: 'tool_call', id, name: 'look_up', arguments: '{}' }] })
const result = (id: string): Message => ({ role: 'tool', parts: [{ type: 'tool_result', id, result: 'found' }] })

const question = text('user', 'Where is it?')
const answer = text('assistant', 'There.')

test('a request that continues another shows what is new, and the other one the results of its tools', () => {
  const first = [question, called('a')]
  const second = [...first, result('a'), answer]
  expect(turnsOf([first, second])).toEqual([
    { repeated: [], own: [question, called('a'), result('a')] },
    { repeated: [question, called('a'), result('a')], own: [answer] },
  ])
})

test('a request continues the one with which it shares most, whatever was asked in between', () => {
  const first = [question, called('a')]
  const other = [text('user', 'Is that safe?'), text('assistant', 'Yes.')]
  const second = [...first, result('a'), answer]
  const turns = turnsOf([first, other, [], second])
  expect(turns.map(({ own }) => own)).toEqual([[question, called('a'), result('a')], other, [], [answer]])
})

test('results are shown once where two requests continue the same one, and stay where they are after a message that is not shown before them', () => {
  const first = [question, called('a')]
  const again = [...first, result('a'), answer]
  expect(turnsOf([first, again, [...first, result('a'), text('assistant', 'Here.')]]).map(({ own }) => own)).toEqual([
    [question, called('a'), result('a')],
    [answer],
    [text('assistant', 'Here.')],
  ])
  const late = [question, text('user', 'Look again.'), result('a'), answer]
  expect(turnsOf([first, late])[1]).toEqual({ repeated: [question], own: late.slice(1) })
})

test('messages that a call repeats from the one before are counted', () => {
  const [asked, answered, again] = ['question', 'answer', 'again'].map((text) => ({
    role: 'user',
    parts: [{ type: 'text' as const, text }],
  }))
  expect(sharedStart([asked!, answered!, again!], [asked!, answered!])).toBe(2)
  expect(sharedStart([asked!], [asked!, answered!])).toBe(1)
  expect(sharedStart([again!], [asked!])).toBe(0)
})

test('messages that differ in a number that JavaScript cannot tell apart are not repeated', () => {
  const asked = (id: string) => [{ role: 'tool', parts: [{ type: 'tool_result' as const, result: { id: new JsonNumber(id) } }] }]
  expect(sharedStart(asked('9007199254740993'), asked('9007199254740992'))).toBe(0)
  expect(sharedStart(asked('9007199254740993'), asked('9007199254740993'))).toBe(1)
})
