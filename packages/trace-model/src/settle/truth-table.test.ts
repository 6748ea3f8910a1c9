import { expect, test } from 'vitest'
import { aNode, type WrittenNode } from '../testing/nodes.ts'
import { settleTrace } from './settle-trace.ts'

interface Row {
  trace: string
  nodes: WrittenNode[]
  /** Input and output of the trace. */
  total: [number, number]
  /** Ids of the calls that count, with their tokens. */
  counts: Record<string, [number, number]>
  /** Ids of the calls with a note that they report more. */
  marked?: string[]
}

const model = (id: string, tokens: [number, number], rest: Partial<WrittenNode> = {}): WrittenNode => ({ id, kind: 'L', tokens, ...rest })
const below = (parentId: string, node: WrittenNode): WrittenNode => ({ ...node, parentId })
const agent = (id: string, tokens?: [number, number]): WrittenNode => ({ id, kind: 'A', ...(tokens && { tokens }) })
const chain = (length: number): WrittenNode[] =>
  Array.from({ length }, (_, at) => model(`l${at}`, [11, 1], { scope: 'leaky', parentId: at === 0 ? null : `l${at - 1}`, startedAt: at }))

const rows: Row[] = [
  {
    trace: 'an agent that reports the sum of its model calls',
    nodes: [agent('a', [3000, 500]), below('a', model('l', [1000, 200])), below('a', model('m', [2000, 300]))],
    total: [3000, 500],
    counts: { l: [1000, 200], m: [2000, 300] },
  },
  {
    trace: 'an agent that reports its last step alone',
    nodes: [agent('a', [50, 5]), below('a', model('l', [1000, 200])), below('a', model('m', [50, 5]))],
    total: [1050, 205],
    counts: { l: [1000, 200], m: [50, 5] },
  },
  {
    trace: 'an agent that reports everything since it was created',
    nodes: [agent('a', [9000, 900]), below('a', model('l', [1000, 200]))],
    total: [1000, 200],
    counts: { l: [1000, 200] },
    marked: ['a'],
  },
  {
    trace: 'an agent whose tool runs an agent that alone reports',
    nodes: [agent('a', [300, 30]), below('a', { id: 't', kind: 'T' }), below('t', agent('i', [200, 20]))],
    total: [200, 20],
    counts: { i: [200, 20] },
    marked: ['a'],
  },
  {
    trace: 'an agent below which nothing reports',
    nodes: [agent('a', [300, 30]), below('a', { id: 't', kind: 'T' })],
    total: [300, 30],
    counts: { a: [300, 30] },
  },
  {
    trace: "a gateway's client around the provider's client",
    nodes: [model('g', [100, 10], { scope: 'gateway' }), below('g', model('p', [100, 10], { scope: 'provider' }))],
    total: [100, 10],
    counts: { p: [100, 10] },
  },
  {
    trace: 'a gateway that tries twice',
    nodes: [
      model('g', [100, 10], { scope: 'gateway' }),
      below('g', model('failed', [100, 0], { scope: 'provider', status: 'error' })),
      below('g', model('p', [100, 10], { scope: 'provider' })),
    ],
    total: [200, 10],
    counts: { failed: [100, 0], p: [100, 10] },
  },
  {
    trace: 'two instrumentations side by side, one within the time of the other',
    nodes: [
      agent('a'),
      below('a', model('outer', [1409, 257], { scope: 'instrumentation', startedAt: 1, endedAt: 90 })),
      below('a', model('inner', [1409, 257], { scope: 'client', startedAt: 2, endedAt: 80 })),
    ],
    total: [1409, 257],
    counts: { outer: [1409, 257] },
  },
  {
    trace: 'equal calls of two scopes, one after the other',
    nodes: [
      agent('a'),
      below('a', model('first', [10, 1], { scope: 'one', startedAt: 1, endedAt: 2 })),
      below('a', model('second', [10, 1], { scope: 'two', startedAt: 3, endedAt: 4 })),
    ],
    total: [20, 2],
    counts: { first: [10, 1], second: [10, 1] },
  },
  {
    trace: 'two instrumentations side by side that name one response and count it otherwise',
    nodes: [
      agent('a'),
      below('a', model('outer', [53, 12], { scope: 'instrumentation', responseId: 'msg_3', startedAt: 1, endedAt: 90 })),
      below('a', model('inner', [53, 11], { scope: 'client', responseId: 'msg_3', startedAt: 2, endedAt: 80 })),
    ],
    total: [53, 11],
    counts: { inner: [53, 11] },
  },
  {
    trace: 'two instrumentations side by side that name one response, of which neither lies in the time of the other',
    nodes: [
      agent('a'),
      below('a', model('first', [10, 1], { scope: 'one', responseId: 'msg_1', startedAt: 1, endedAt: 9 })),
      below('a', model('second', [10, 1], { scope: 'two', responseId: 'msg_1', startedAt: 2, endedAt: 10 })),
    ],
    total: [10, 1],
    counts: { second: [10, 1] },
  },
  {
    trace: 'one response that one scope reports twice and another one once',
    nodes: [
      agent('a'),
      below('a', model('b', [10, 1], { scope: 'one', responseId: 'msg_1', startedAt: 1, endedAt: 5 })),
      below('a', model('c', [10, 2], { scope: 'one', responseId: 'msg_1', startedAt: 6, endedAt: 9 })),
      below('a', model('d', [10, 3], { scope: 'two', responseId: 'msg_1', startedAt: 2, endedAt: 4 })),
    ],
    total: [20, 5],
    counts: { c: [10, 2], d: [10, 3] },
  },
  {
    trace: 'a gateway whose client names the response of the provider and counts it otherwise',
    nodes: [
      model('g', [100, 12], { scope: 'gateway', responseId: 'msg_1' }),
      below('g', model('p', [100, 10], { scope: 'provider', responseId: 'msg_1' })),
    ],
    total: [100, 10],
    counts: { p: [100, 10] },
  },
  ...[undefined, 'one'].map((scope): Row => ({
    trace: `a model call around two equal ones, ${scope ? 'of one scope' : 'no scope named'}`,
    nodes: [model('l', [10, 1]), below('l', model('m', [10, 1])), below('l', model('n', [10, 1]))].map((node) => ({
      ...node,
      ...(scope && { scope }),
    })),
    total: [30, 3],
    counts: { l: [10, 1], m: [10, 1], n: [10, 1] },
  })),
  {
    trace: '1,400 equal model calls below one another, of one scope',
    nodes: chain(1_400),
    total: [15_400, 1_400],
    counts: Object.fromEntries(chain(1_400).map(({ id }): [string, [number, number]] => [id, [11, 1]])),
  },
  {
    trace: 'model calls of three scopes below one another with different counts',
    nodes: [
      model('l', [11, 1], { scope: 'one' }),
      below('l', model('m', [12, 2], { scope: 'two' })),
      below('m', model('n', [13, 3], { scope: 'three' })),
    ],
    total: [36, 6],
    counts: { l: [11, 1], m: [12, 2], n: [13, 3] },
  },
  {
    trace: 'an outer span around embeddings that are sent in two requests',
    nodes: [{ id: 'c', kind: 'C', tokens: [150, 0] }, below('c', model('d', [70, 0])), below('c', model('e', [80, 0]))],
    total: [150, 0],
    counts: { d: [70, 0], e: [80, 0] },
  },
  {
    trace: "a client's root with the sum of what is below it",
    nodes: [
      { id: 'w', kind: 'W', tokens: [110, 11] },
      { id: 'l', kind: 'WL', tokens: [100, 10], parentId: 'w' },
      { id: 'v', kind: 'W', tokens: [10, 1], parentId: 'w' },
    ],
    total: [110, 11],
    counts: { l: [100, 10], v: [10, 1] },
  },
  {
    trace: "a client's root with usage of its own in the sum",
    nodes: [
      { id: 'w', kind: 'W', tokens: [120, 12] },
      { id: 'l', kind: 'WL', tokens: [100, 10], parentId: 'w' },
    ],
    total: [120, 12],
    counts: { w: [20, 2], l: [100, 10] },
  },
  {
    trace: "a client's root that runs",
    nodes: [
      { id: 'w', kind: 'W', endedAt: null },
      { id: 'l', kind: 'WL', tokens: [100, 10], parentId: 'w' },
    ],
    total: [100, 10],
    counts: { l: [100, 10] },
  },
  {
    trace: "a client's root with a span of OpenTelemetry below it",
    nodes: [
      { id: 'w', kind: 'W', tokens: [100, 10] },
      { id: 'l', kind: 'WL', tokens: [100, 10], parentId: 'w' },
      { id: 'o', kind: 'L', tokens: [7, 1], parentId: 'w' },
    ],
    total: [107, 11],
    counts: { l: [100, 10], o: [7, 1] },
  },
  {
    trace: 'a call whose parent was never sent',
    nodes: [below('never sent', model('l', [5, 1]))],
    total: [5, 1],
    counts: { l: [5, 1] },
  },
]

test.each(rows)('$trace', ({ nodes, total, counts, marked = [] }) => {
  for (const given of [nodes, nodes.toReversed()]) {
    const trace = settleTrace(given.map(aNode))!
    expect(trace.usage.map(({ counts: { input, output } }) => [input, output])).toEqual([total])
    expect(Object.fromEntries(trace.rows.map(({ callId, counts: { input, output } }) => [callId, [input, output]]))).toEqual(counts)
    expect(trace.notes.filter(({ note }) => note === 'reports_more').map(({ callId }) => callId)).toEqual(marked)
  }
})

test('a call whose parent was never sent is a root with a mark', () => {
  const trace = settleTrace([aNode(below('never sent', model('l', [5, 1])))])!
  expect(trace).toMatchObject({ rootId: 'l', isParentMissing: true })
  expect(trace.marks.get('l')).toMatchObject({ isRoot: true, isParentMissing: true, count: 'whole' })
})

test('it stops being a root when its parent comes', () => {
  const trace = settleTrace([below('late', model('l', [5, 1])), { id: 'late', kind: 'A' as const }].map(aNode))!
  expect(trace).toMatchObject({ rootId: 'late', isParentMissing: false })
  expect(trace.marks.get('l')).toMatchObject({ isRoot: false, isParentMissing: false })
})

test('a trace says what its agent reports beyond its model calls', () => {
  const { notes } = settleTrace([agent('a', [5000, 200]), below('a', model('l', [3300, 200]))].map(aNode))!
  expect(notes).toEqual([{ note: 'reports_more', callId: 'a', reported: 5200, counted: 3500 }])
})

test('counts of two scopes that differ by little both count, and are named', () => {
  const nodes = [model('g', [101, 10], { scope: 'gateway' }), below('g', model('p', [100, 10], { scope: 'provider' }))]
  expect(settleTrace(nodes.map(aNode))).toMatchObject({
    usage: [{ counts: { input: 201, output: 20 } }],
    notes: [{ note: 'similar_requests', callId: 'g', otherId: 'p', reported: 111, other: 110 }],
  })
})

test('a request in two parts that a gateway reports as one counts once', () => {
  const nodes = [
    model('g', [30, 3], { scope: 'gateway' }),
    below('g', model('p', [10, 1], { scope: 'provider' })),
    below('g', model('q', [20, 2], { scope: 'provider' })),
  ]
  expect(settleTrace(nodes.map(aNode))?.rows.map(({ callId }) => callId)).toEqual(['p', 'q'])
})

test('two requests in the time of one of another scope are two', () => {
  const nodes = [
    agent('a'),
    below('a', model('outer', [10, 1], { scope: 'one', startedAt: 1, endedAt: 90 })),
    below('a', model('b', [10, 1], { scope: 'two', startedAt: 2, endedAt: 20 })),
    below('a', model('c', [10, 1], { scope: 'two', startedAt: 30, endedAt: 40 })),
  ]
  expect(settleTrace(nodes.map(aNode))?.rows.map(({ callId }) => callId)).toEqual(['outer', 'c'])
})

test('a call whose usage counts in part names the calls whose usage is taken away', () => {
  const nodes: WrittenNode[] = [
    { id: 'w', kind: 'W', tokens: [120, 12] },
    { id: 'x', kind: 'W', parentId: 'w' },
    { id: 'l', kind: 'WL', tokens: [100, 10], parentId: 'x' },
  ]
  expect(settleTrace(nodes.map(aNode))?.marks.get('w')).toMatchObject({ count: 'rest', less: ['l'] })
})

test('the thread is that of the root, else of the first call that names one, and different ones are named', () => {
  const threads = (root: string | null, first: string | null, second: string | null) =>
    settleTrace(
      [
        { id: 'r', kind: 'A' as const, threadId: root },
        { id: 'b', kind: 'T' as const, parentId: 'r', startedAt: 2, threadId: second },
        { id: 'a', kind: 'T' as const, parentId: 'r', startedAt: 1, threadId: first },
      ].map(aNode),
    )!
  expect(threads('x', null, null)).toMatchObject({ threadId: 'x', notes: [] })
  expect(threads(null, null, 'y')).toMatchObject({ threadId: 'y', notes: [] })
  expect(threads(null, 'x', 'y')).toMatchObject({ threadId: 'x', notes: [{ note: 'several_threads', callId: 'b', threadId: 'y' }] })
  expect(threads('x', 'y', null)).toMatchObject({ threadId: 'x', notes: [{ note: 'several_threads', callId: 'a', threadId: 'y' }] })
  expect(threads(null, null, null)).toMatchObject({ threadId: null, notes: [] })
})

test('the status of a trace and of each call knows errors below', () => {
  const trace = settleTrace(
    [
      { id: 'r', kind: 'A' as const },
      { id: 'c', kind: 'C' as const, parentId: 'r' },
      { id: 't', kind: 'T' as const, parentId: 'c', status: 'error' as const },
      { id: 'u', kind: 'T' as const, parentId: 'r' },
    ].map(aNode),
  )!
  expect(trace).toMatchObject({ status: 'descendant_error', errors: 1 })
  expect([...trace.marks].map(([id, { status }]) => [id, status])).toEqual([
    ['c', 'descendant_error'],
    ['r', 'descendant_error'],
    ['t', 'error'],
    ['u', 'success'],
  ])
})

test('a call that repeats a request names the call that reports it, too', () => {
  const nodes = [
    agent('a'),
    below('a', model('outer', [53, 12], { scope: 'one', responseId: 'x', startedAt: 1, endedAt: 90 })),
    below('a', model('middle', [53, 11], { scope: 'two', responseId: 'x', startedAt: 2, endedAt: 80 })),
    below('a', model('inner', [53, 11], { scope: 'three', startedAt: 3, endedAt: 70 })),
    below('a', model('gateway', [7, 1], { scope: 'one', startedAt: 91, endedAt: 99 })),
    below('gateway', model('provider', [7, 1], { scope: 'two', startedAt: 92, endedAt: 98 })),
  ]
  const { marks } = settleTrace(nodes.map(aNode))!
  expect(Object.fromEntries([...marks].map(([id, { repeats }]) => [id, repeats]))).toEqual({
    a: null,
    outer: 'middle',
    middle: null,
    inner: 'middle',
    gateway: 'provider',
    provider: null,
  })
})
