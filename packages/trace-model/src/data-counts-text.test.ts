import { expect, test } from 'vitest'
import { dataCountsText } from './data-counts-text.ts'

const none = { calls: 0, feedback: 0, annotation_items: 0, object_versions: 0, tables: 0, table_rows: 0, files: 0 }

test.each([
  [{}, ''],
  [{ calls: 1, annotation_items: 1, table_rows: 1 }, '1 call, 1 queue item, 1 table row'],
  [{ calls: 1200, feedback: 2, object_versions: 3, tables: 2, files: 4 }, '1,200 calls, 2 feedback, 3 object versions, 2 tables, 4 files'],
])('the counts %j are shown as "%s"', (counts, text) => {
  expect(dataCountsText({ ...none, ...counts })).toBe(text)
})
