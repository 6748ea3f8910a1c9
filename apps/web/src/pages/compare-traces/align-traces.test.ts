import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AlignableCall, alignTraces } from './align-traces.ts'

const call = (id: string, name: string, parentId: string | null = null, startedAt = 0): AlignableCall => ({
  id,
  name,
  parentId,
  startedAt,
  endedAt: startedAt + 1,
})
const shown = (a: AlignableCall[], b: AlignableCall[]) => alignTraces(a, b).map((pair) => [pair.a?.id, pair.b?.id])

test('calls of the same name below the same pair are one pair, in their order', () => {
  const a = [call('a', 'run'), call('a1', 'find', 'a', 1), call('a2', 'find', 'a', 2), call('a3', 'answer', 'a', 3)]
  const b = [call('b', 'run'), call('b1', 'find', 'b', 1), call('b3', 'answer', 'b', 3)]
  expect(shown(a, b)).toEqual([
    ['a', 'b'],
    ['a1', 'b1'],
    ['a2', undefined],
    ['a3', 'b3'],
  ])
})

test('what only the second trace has stands where it happened', () => {
  const a = [call('a', 'run'), call('a1', 'answer', 'a', 3)]
  const b = [call('b', 'run'), call('b1', 'find', 'b', 1), call('b2', 'answer', 'b', 2), call('b3', 'log', 'b', 4)]
  expect(shown(a, b)).toEqual([
    ['a', 'b'],
    [undefined, 'b1'],
    ['a1', 'b2'],
    [undefined, 'b3'],
  ])
})

test('two roots are compared whatever their names are', () => {
  expect(shown([call('a', 'before')], [call('b', 'after')])).toEqual([['a', 'b']])
})

test('what is done with another model or tool has its counterpart, after calls of the same name', () => {
  const a = [call('a', 'run'), call('a1', 'chat m:1', 'a', 1), call('a2', 'execute_tool find', 'a', 2), call('a3', 'chat m:1', 'a', 3)]
  const b = [call('b', 'run'), call('b1', 'chat m:2', 'b', 1), call('b2', 'chat m:1', 'b', 2), call('b3', 'execute_tool look', 'b', 3)]
  expect(shown(a, b)).toEqual([
    ['a', 'b'],
    ['a1', 'b2'],
    ['a2', 'b3'],
    ['a3', 'b1'],
  ])
})

test('names that only begin alike are no counterparts', () => {
  expect(shown([call('a', 'run'), call('a1', 'check x', 'a')], [call('b', 'run'), call('b1', 'check y', 'b')])).toEqual([
    ['a', 'b'],
    ['a1', undefined],
    [undefined, 'b1'],
  ])
})

test('what is below a call of one trace alone is of that trace alone', () => {
  expect(shown([call('a', 'run'), call('a1', 'x', 'a'), call('a2', 'y', 'a1')], [call('b', 'run'), call('b1', 'y', 'b')])).toEqual([
    ['a', 'b'],
    ['a1', undefined],
    ['a2', undefined],
    [undefined, 'b1'],
  ])
})

const trace = (prefix: string) =>
  fc
    .array(fc.tuple(fc.nat(30), fc.constantFrom('x', 'y', 'z'), fc.nat(20)), { maxLength: 30 })
    .map((calls) =>
      calls.map(([parent, name, start], at) => call(`${prefix}${at}`, name, parent < at ? `${prefix}${parent}` : null, start)),
    )

test('every call of both traces is shown once', () => {
  fc.assert(
    fc.property(trace('a'), trace('b'), (a, b) => {
      const pairs = alignTraces(a, b)
      expect(pairs.flatMap((pair) => pair.a?.id ?? []).sort()).toEqual(a.map(({ id }) => id).sort())
      expect(pairs.flatMap((pair) => pair.b?.id ?? []).sort()).toEqual(b.map(({ id }) => id).sort())
    }),
  )
})

test('a trace compared with itself has only pairs', () => {
  fc.assert(
    fc.property(trace('a'), (a) => {
      expect(alignTraces(a, a).every((pair) => pair.a === pair.b)).toBe(true)
    }),
  )
})
