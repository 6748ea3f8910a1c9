import { parseExactJson, stringifyJson } from '@heddle/json/exact'
import { expect, test } from 'vitest'
import { factGroupsOf, maxFacts } from './facts-of-value.ts'

const listed = (attributes: unknown) =>
  factGroupsOf(attributes).map(({ title, facts }) => [title, facts.map(({ path, value }) => `${path}=${stringifyJson(value)}`)])

test('members are named by their paths, and what is empty is left out', () =>
  expect(
    listed(parseExactJson('{"model":"m","usage":{"id":9007199254740993,"share":1.0},"stop":["a"],"none":null,"list":[],"text":""}')),
  ).toEqual([['Attributes', ['model="m"', 'usage.id=9007199254740993', 'usage.share=1.0', 'stop=["a"]']]]))

test('what a span was sent with stands before what was read from it', () => {
  const span = { name: 'chat', attributes: { gen_ai: { system: 'x' } }, resource: { attributes: { service: { name: 's' } } } }
  expect(listed({ provider: 'x', otel_span: span })).toEqual([
    ['Attributes', ['gen_ai.system="x"']],
    ['Resource', ['service.name="s"']],
    ['Read from the span', ['provider="x"']],
    ['Span', ['name="chat"']],
  ])
})

test('many values are counted beyond the limit, and deep ones stay whole', () => {
  const many = Object.fromEntries(Array.from({ length: maxFacts + 7 }, (_, at) => [`name${at}`, at]))
  expect(factGroupsOf(many).map(({ facts, leftOut }) => [facts.length, leftOut])).toEqual([[maxFacts, 7]])
  const deep = Array.from({ length: 20 }).reduce<unknown>((inner) => ({ a: inner }), 1)
  expect(factGroupsOf(deep)[0]?.facts).toHaveLength(1)
})

test.each([null, undefined, 'text', 12, [1]])('of %j nothing is said', (value) => expect(factGroupsOf(value)).toEqual([]))
