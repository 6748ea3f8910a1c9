import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCursorCodec } from './cursor.ts'

const cursors = createCursorCodec(new Uint8Array(32).fill(7))

test('a cursor leads where it was written for, in whatever order its query is', () => {
  const cursor = cursors.write({ offset: 20, anchor: 'a' }, ['evals_list', { b: 1, a: [2] }])
  expect(cursors.read(cursor, ['evals_list', { a: [2], b: 1 }])).toEqual({ offset: 20, anchor: 'a' })
})

test('a cursor of other arguments, of another server or with a change is refused with the way out', () => {
  const cursor = cursors.write({ offset: 20 }, ['evals_list', {}])
  expect(() => cursors.read(cursor, ['evals_list', { since: 1 }])).toThrow('a call with other arguments')
  expect(() => createCursorCodec(new Uint8Array(32)).read(cursor, ['evals_list', {}])).toThrow('a server that has restarted')
})

test('no text but a cursor is taken as one', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.base64String().map((text) => `${text}.${text}`),
      ),
      (text) => {
        expect(() => cursors.read(text, null)).toThrow('the cursor is damaged')
      },
    ),
  )
})
