import { existsSync, readFileSync } from 'node:fs'

/**
 * Reads the counts of a JSON report of vitest. `line` has the form in which vitest prints them; `skipped` are the full names of tests that did not run.
 * @param {string} reportFile
 */
export function countTests(reportFile) {
  if (!existsSync(reportFile)) return { line: 'Tests  none ran', skipped: [] }
  const report = JSON.parse(readFileSync(reportFile, 'utf8'))
  const tests = /** @type {{ status: string, fullName: string }[]} */ (
    report.testResults.flatMap((/** @type {{ assertionResults: unknown[] }} */ file) => file.assertionResults)
  )
  const passed = tests.filter(({ status }) => status === 'passed').length
  const failed = tests.filter(({ status }) => status === 'failed').length
  const skipped = tests.filter(({ status }) => status !== 'passed' && status !== 'failed').map(({ fullName }) => fullName)
  const parts = [failed > 0 && `${failed} failed`, `${passed} passed`, skipped.length > 0 && `${skipped.length} skipped`]
  return { line: `Tests  ${parts.filter(Boolean).join(' | ')} (${tests.length})`, skipped }
}
