import { expect, test } from 'vitest'
import { messageOfRow } from './message-of-row.ts'

test.each([
  [['city', 'question', 'weather'], '{question}'],
  [['city', 'weather'], '{city}'],
  [['question', 'user_input'], ''],
  [[], ''],
])('a row with the columns %j is sent as "%s"', (columns, message) => {
  expect(messageOfRow(columns)).toBe(message)
})
