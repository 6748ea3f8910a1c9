import { expect, test } from 'vitest'
import { endsOfSpans, endsOfTraces, type Node } from './ends-below.ts'

const node = (id: string, parentId: string | null, usesModel = false): Node => ({ id, traceId: 't', parentId, usesModel })
const nodes = [
  node('root', null),
  node('plan', 'root'),
  node('first', 'plan', true),
  node('second', 'plan', true),
  node('tool', 'root'),
  node('third', 'root', true),
]
const row = (id: string, traceId = 't') => ({ id, traceId })

test('the ends of a trace are its first and its last model call, and a trace without one has none', () =>
  expect([...endsOfTraces(nodes, [row('root'), row('other', 'u')])]).toEqual([['root', { first: 'first', last: 'third' }]]))

test('the ends of a span are those below it, at any depth, and not itself', () =>
  expect([
    ...endsOfSpans(
      nodes,
      ['root', 'plan', 'tool', 'third'].map((id) => row(id)),
    ),
  ]).toEqual([
    ['plan', { first: 'first', last: 'second' }],
    ['root', { first: 'first', last: 'third' }],
  ]))

test('calls that name each other as parents end the search', () => {
  const loop = [node('a', 'b', true), node('b', 'a')]
  expect([...endsOfSpans(loop, [row('b')])]).toEqual([['b', { first: 'a', last: 'a' }]])
})
