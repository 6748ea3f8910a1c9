import { expect, test } from 'vitest'
import { draftOfPrompt } from './draft-of-prompt.ts'

test('the messages of a prompt are read with their variables, and a text as one of the system', () => {
  expect(draftOfPrompt({ messages: [{ role: 'user', content: 'Order {id}' }] })?.draft.messages).toEqual([
    { role: 'user', content: 'Order {{id}}' },
  ])
  expect(draftOfPrompt({ content: 'Be {tone}' })?.draft.messages).toEqual([{ role: 'system', content: 'Be {{tone}}' }])
  expect(draftOfPrompt({ rows: [] })).toBeUndefined()
})
