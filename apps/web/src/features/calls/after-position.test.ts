import { QueryExpression } from '@heddle/core-api'
import { expect, test } from 'vitest'
import { afterPosition } from './after-position.ts'

const position = { startedAt: '2026-01-02T03:04:05.000Z', id: 'c' }

test('the next page keeps the condition and continues after the last call', () => {
  const condition = { $expr: { $eq: [{ $getField: 'op_name' }, { $literal: 'chat' }] } } as QueryExpression
  const next = afterPosition(condition, position)!
  expect(QueryExpression.safeParse(next).success).toBe(true)
  expect(next).toMatchObject({
    $expr: { $and: [condition.$expr, { $or: [{ $lt: [{ $getField: 'started_at' }, { $literal: position.startedAt }] }, {}] }] },
  })
})

test('the first page has no position', () => expect(afterPosition(undefined, undefined)).toBeUndefined())
