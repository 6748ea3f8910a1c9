import { isApiError } from '@heddle/core-api'
import { render } from '@heddle/datastore'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileCallsQuery, type StatementInput } from './calls-query.ts'
import { randomQuery, randomSort } from './testing/random-queries.ts'

const now = 1_800_000_000_000_000
const aStatement: fc.Arbitrary<StatementInput> = fc.record({
  now: fc.constant(now),
  started: fc.option(fc.record({ from: fc.nat(), until: fc.nat() }, { requiredKeys: [] }), { nil: undefined }),
  probed: fc.option(
    fc.array(fc.nat({ max: 1 }), { minLength: 40, maxLength: 40 }).map((unindexed) => ({ unindexed })),
    { nil: undefined },
  ),
  deletedVersions: fc.constantFrom(undefined, ['object/o:d1']),
  tables: fc.constantFrom(undefined, new Map([['table/t', 'digest']])),
  queueCalls: fc.constantFrom(undefined, new Map([['q', ['c1', 'c2']]])),
})

/** Undefined for a query that is refused. */
function compile(...[input]: Parameters<typeof compileCallsQuery>) {
  try {
    return compileCallsQuery(input)
  } catch (error) {
    if (!isApiError(error)) throw error
    return undefined
  }
}

test('a query that was compiled once gives each statement as if it had been compiled for it', () => {
  fc.assert(
    fc.property(randomQuery, randomSort, fc.array(aStatement, { minLength: 1, maxLength: 4 }), (query, sort_by, statements) => {
      const input = { project_id: 'e/p', query, sort_by, expand_columns: ['inputs.ref', 'inputs.a'] }
      const once = compile(input)
      fc.pre(once !== undefined)
      for (const statement of statements) {
        for (const form of ['keys', 'count', 'storage'] as const)
          expect(render(once[form](statement))).toEqual(render(compileCallsQuery(input)[form](statement)))
      }
    }),
    { numRuns: trials({ usual: 100, long: 5_000 }) },
  )
})

test('ranges of time and answers to the probe change what surrounds the conditions, never the conditions', () => {
  const query = { $expr: { $eq: [{ $getField: 'inputs.a' }, { $literal: 'x' }] as const } }
  const compiled = compileCallsQuery({ project_id: 'e/p', query: query as never, sort_by: [{ field: 'inputs.a', direction: 'desc' }] })
  const textOf = (statement: Omit<StatementInput, 'now'>) => render(compiled.keys({ now, ...statement })).text
  const texts = [textOf({}), textOf({ probed: { unindexed: [1] } }), textOf({ probed: { unindexed: [0] }, started: { from: 1 } })]
  expect(texts[1]).toBe(texts[0])
  expect(texts[0]).toContain('JSON')
  expect(texts[2]).not.toContain('JSON')
  expect(texts[2]).toContain('started_at >= ')
})
