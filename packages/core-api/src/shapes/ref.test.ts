import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatConversationRef, formatRef, parseConversationRef, parseRef, type Ref } from './ref.ts'

const place = { entity: 'e', project: 'p' }

describe('parseRef', () => {
  test.each<[string, Ref]>([
    ['weave:///e/p/object/ds:abc', { kind: 'object', ...place, name: 'ds', digest: 'abc', edges: [] }],
    ['weave:///e/p/op/run:abc/', { kind: 'op', ...place, name: 'run', digest: 'abc', edges: [] }],
    [
      'weave:///e/p/object/ds:abc/attr/rows/id/r1',
      {
        kind: 'object',
        ...place,
        name: 'ds',
        digest: 'abc',
        edges: [
          { name: 'attr', value: 'rows' },
          { name: 'id', value: 'r1' },
        ],
      },
    ],
    [
      'weave:///e/p/object/o:d/key/a%2Fb%20c+',
      { kind: 'object', ...place, name: 'o', digest: 'd', edges: [{ name: 'key', value: 'a/b c+' }] },
    ],
    ['weave:///e/p/object/o:d/key/100%', { kind: 'object', ...place, name: 'o', digest: 'd', edges: [{ name: 'key', value: '100%' }] }],
    ['weave:///e/p/object/o:d/index/-1', { kind: 'object', ...place, name: 'o', digest: 'd', edges: [{ name: 'index', value: '-1' }] }],
    ['weave:///e/p/table/t', { kind: 'table', ...place, digest: 't', rowDigest: null }],
    ['weave:///e/p/table/t/id/r', { kind: 'table', ...place, digest: 't', rowDigest: 'r' }],
    ['weave:///e/p/call/c/attr/output', { kind: 'call', ...place, id: 'c', edges: [{ name: 'attr', value: 'output' }] }],
  ])('reads %s', (text, ref) => expect(parseRef(text)).toEqual(ref))

  test.each([
    'weave://e/p/object/a:b',
    'weave:////e/p/object/a:b',
    'weave:///e/p',
    'weave:///e/p/object',
    'weave:///e/p/object/a',
    'weave:///e/p/object/a:',
    'weave:///e/p/object/:b',
    'weave:///e/p/object/a:b:c',
    'weave:///e/p/object/a:b/key',
    'weave:///e/p/object/a:b/other/x',
    'weave:///e/p/object/a:b/index/x',
    'weave:///e/p/table/t/attr/r',
    'weave:///e/p/table/t/id/r/id/s',
    'weave:///e/p/agent_turn/x',
    'see weave:///e/p/object/a:b',
  ])('finds no ref in %s', (text) => expect(parseRef(text)).toBeUndefined())
})

test('every ref that can be written is read back, whatever its edges hold', () => {
  const word = fc.stringMatching(/^[a-zA-Z0-9_.-]{1,12}$/)
  const edge = fc.record({ name: fc.constantFrom('attr' as const, 'key' as const), value: fc.string({ minLength: 1, unit: 'grapheme' }) })
  const ref = fc.record({
    kind: fc.constantFrom('object' as const, 'op' as const),
    entity: word,
    project: word,
    name: word,
    digest: word,
    edges: fc.array(edge),
  })
  fc.assert(
    fc.property(ref, (ref) => {
      expect(parseRef(formatRef(ref))).toEqual(ref)
    }),
  )
})

describe('refs to conversations', () => {
  test.each([
    ['thread-1', 'weave:///e/p/agent_conversation/thread-1'],
    ['user:1/2 ä', 'weave:///e/p/agent_conversation/user%3A1%2F2%20%C3%A4'],
    ["'*", 'weave:///e/p/agent_conversation/%27%2A'],
  ])('the thread %j is written as %s, and read again', (id, text) => {
    expect(formatConversationRef({ ...place, id })).toBe(text)
    expect(parseConversationRef(text)).toEqual({ ...place, id })
  })

  test.each([
    ['weave:///e/p/agent_conversation/user:1', 'user:1'],
    ['weave:///e/p/agent_conversation/100%', '100%'],
    ['weave:///e/p/agent_conversation/t/', 't'],
  ])('%s, which another program wrote, is read as %j', (text, id) => {
    expect(parseConversationRef(text)).toEqual({ ...place, id })
  })

  test.each([
    'weave:///e/p/agent_conversation',
    'weave:///e/p/agent_conversation/',
    'weave:///e/p/agent_conversation/a/b',
    'weave:///e/p/agent_turn/a',
    'weave:///e/p/call/a',
    'weave:////p/agent_conversation/a',
    'thread-1',
  ])('%s is none', (text) => expect(parseConversationRef(text)).toBeUndefined())

  test('a ref to a conversation is no ref to a value', () => {
    expect(parseRef('weave:///e/p/agent_conversation/t')).toBeUndefined()
  })
})
