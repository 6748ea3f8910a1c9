import { formatMention } from '@heddle/core-api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aFeedback } from '../../contract-tests/testing/feedback-builders.ts'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'

let app: TestApp
let project_id: string
beforeAll(async () => {
  app = await startTestApp()
  project_id = app.newProject()
  const notes = [
    'Ask @[ann]',
    '@[anna] and @[ann ]',
    'ann, @ann',
    '@[Ann]',
    'see\n@[anna] @[ann]!',
    String.raw`@[a\[b\]] 😀`,
    '@[50%_]',
    '@[500_]',
  ]
  const batch = notes.map((note) => aFeedback({ project_id, feedback_type: 'wandb.note.1', payload: { note } }))
  await app.client.feedback.createBatch({ batch: [...batch, aFeedback({ project_id, payload: { text: '@[ann]' } })] })
})
afterAll(() => app.close())

test.each([
  ['ann', ['Ask @[ann]', 'see\n@[anna] @[ann]!']],
  ['anna', ['@[anna] and @[ann ]', 'see\n@[anna] @[ann]!']],
  ['an', []],
  ['a[b]', [String.raw`@[a\[b\]] 😀`]],
  ['50%_', ['@[50%_]']],
])('the notes that mention %s are found, and none that mentions a name that begins alike', async (name, notes) => {
  const substr = { $literal: formatMention(name) }
  const query = { $expr: { $contains: { input: { $getField: 'payload.note' }, substr } } }
  const { result, total_count } = await app.client.feedback.query({ project_id, query })
  expect([result.map(({ payload }) => payload?.note), total_count]).toEqual([notes, notes.length])
})
