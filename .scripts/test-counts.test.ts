import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { countTests } from './test-counts.mjs'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-counts-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  [['passed', 'passed'], 'Tests  2 passed (2)', []],
  [['failed', 'passed'], 'Tests  1 failed | 1 passed (2)', []],
  [['passed', 'skipped', 'pending', 'todo'], 'Tests  1 passed | 3 skipped (4)', ['test 1', 'test 2', 'test 3']],
])('%j is told as "%s"', (statuses, line, skipped) => {
  expect(countTests(writeReport(statuses))).toEqual({ line, skipped })
})

test('a run that wrote no report is told as one without tests', () => {
  expect(countTests(join(folder, 'missing.json'))).toEqual({ line: 'Tests  none ran', skipped: [] })
})

function writeReport(statuses: string[]): string {
  const file = join(folder, 'report.json')
  const assertionResults = statuses.map((status, index) => ({ status, fullName: `test ${index}` }))
  writeFileSync(file, JSON.stringify({ testResults: [{ assertionResults }] }))
  return file
}
