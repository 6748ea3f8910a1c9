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
  [['passed', 'passed'], 'Tests  2 passed (2)', [], true],
  [['failed', 'passed'], 'Tests  1 failed | 1 passed (2)', [], false],
  [['passed', 'skipped', 'pending', 'todo'], 'Tests  1 passed | 3 skipped (4)', ['test 1', 'test 2', 'test 3'], true],
  [[], 'Tests  0 passed (0)', [], false],
])('%j is reported as "%s"', (statuses, line, skipped, hasPassed) => {
  expect(countTests(writeReport(statuses))).toEqual({ line, skipped, hasPassed })
})

test('a run in which a file could not be loaded has not passed', () => {
  expect(countTests(writeReport(['passed'], false))).toEqual({ line: 'Tests  1 passed (1)', skipped: [], hasPassed: false })
})

test('a run that wrote no report is one without tests, and has not passed', () => {
  expect(countTests(join(folder, 'missing.json'))).toEqual({ line: 'Tests  none ran', skipped: [], hasPassed: false })
})

function writeReport(statuses: string[], success = !statuses.includes('failed')): string {
  const file = join(folder, 'report.json')
  const assertionResults = statuses.map((status, index) => ({ status, fullName: `test ${index}` }))
  writeFileSync(file, JSON.stringify({ success, testResults: [{ assertionResults }] }))
  return file
}
