import { expect, test } from 'vitest'
import { detailsOf } from './details-of.ts'

test('the text of an entry names neither project nor what is absent, and is never cut within a character', () => {
  expect(detailsOf({ project_id: 'e/p', entity: 'e', project: 'p', wb_user_id: 'me', digests: null, object_id: 'a' })).toBe(
    '{"object_id":"a"}',
  )
  const text = detailsOf({ a: 'x'.repeat(1_993) + '😀'.repeat(10) })
  expect([text.isWellFormed(), text.length <= 2_001, text.endsWith('…')]).toEqual([true, true, true])
})
