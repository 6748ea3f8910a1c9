import { QueryExpression } from '@heddle/core-api'
import { expect, test } from 'vitest'
import { readPurgedIds } from './purged-ids.ts'

const id = { $getField: 'id' }
const literal = ($literal: unknown) => ({ $literal })
const idsOf = ($expr: object) => readPurgedIds(QueryExpression.parse({ $expr }), 'only ids')

test.each<[object, string[]]>([
  [{ $eq: [id, literal('a')] }, ['a']],
  [{ $eq: [literal('a'), id] }, ['a']],
  [{ $in: [id, [literal('a'), literal('a')]] }, ['a']],
  [{ $in: [id, [literal('a'), literal('b')]] }, ['a', 'b']],
  [{ $in: [id, []] }, []],
  [{ $or: [{ $eq: [id, literal('a')] }, { $eq: [id, literal('b')] }] }, ['a', 'b']],
])('%j names ids', ($expr, ids) => expect(idsOf($expr)).toEqual(ids))

test.each<object>([
  { $eq: [{ $getField: 'llm_id' }, literal('a')] },
  { $eq: [id, literal(1)] },
  { $eq: [id, literal(null)] },
  { $eq: [id, id] },
  { $in: [{ $getField: 'llm_id' }, [literal('a')]] },
  { $in: [id, [literal('a'), literal(1)]] },
  { $or: [] },
  { $or: [{ $eq: [id, literal('a')] }, { $in: [id, [literal('b')]] }] },
  { $or: [{ $or: [{ $eq: [id, literal('a')] }] }] },
  { $and: [{ $eq: [id, literal('a')] }] },
  { $not: [{ $eq: [id, literal('a')] }] },
  { $gt: [id, literal('a')] },
  { $contains: { input: id, substr: literal('a') } },
])('%j is refused', ($expr) => {
  expect(() => idsOf($expr)).toThrow('only ids')
})
