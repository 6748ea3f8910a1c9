import { existsSync, readFileSync } from 'node:fs'

/**
 * Reads the counts of a JSON report of vitest. `line` has the form in which vitest prints them; `skipped` are the full names of tests that did not run.
 * `hasPassed` is false when a test failed, a file could not be loaded, or nothing ran: the exit code of the run alone does not decide, since whatever
 * the tests load may change it.
 * @param {string} reportFile
 */
export function countTests(reportFile) {
  if (!existsSync(reportFile)) return { line: 'Tests  none ran', skipped: [], hasPassed: false }
  const report = JSON.parse(readFileSync(reportFile, 'utf8'))
  const tests = /** @type {{ status: string, fullName: string }[]} */ (
    report.testResults.flatMap((/** @type {{ assertionResults: unknown[] }} */ file) => file.assertionResults)
  )
  const passed = tests.filter(({ status }) => status === 'passed').length
  const failed = tests.filter(({ status }) => status === 'failed').length
  const skipped = tests.filter(({ status }) => status !== 'passed' && status !== 'failed').map(({ fullName }) => fullName)
  const parts = [failed > 0 && `${failed} failed`, `${passed} passed`, skipped.length > 0 && `${skipped.length} skipped`]
  const hasPassed = report.success === true && failed === 0 && tests.length > 0
  return { line: `Tests  ${parts.filter(Boolean).join(' | ')} (${tests.length})`, skipped, hasPassed }
}
