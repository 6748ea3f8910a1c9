import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './project-root.mjs'

const minute = 60_000

/**
 * @typedef {object} Check
 * @property {string} title what is being checked
 * @property {string} script name of the script in package.json
 * @property {number} timeoutMs
 * @property {string} [needs] file or folder without which there is nothing to check
 */

/** What must pass besides the tests. The first builds the pages that they read, so they start after it; the others run beside, in this order. @type {readonly Check[]} */
const checks = [
  { title: 'build', script: 'build', timeoutMs: 10 * minute },
  { title: 'types', script: 'typecheck', timeoutMs: 5 * minute },
  { title: 'import rules', script: 'structure', timeoutMs: 5 * minute },
  { title: 'packages', script: 'package:check', timeoutMs: 5 * minute },
  { title: 'format', script: 'format:check', timeoutMs: minute },
  { title: 'lint', script: 'lint', timeoutMs: 3 * minute },
  { title: 'generated files', script: 'gen:check', timeoutMs: 2 * minute, needs: '.scripts/gen.ts' },
  { title: 'OpenAPI documents', script: 'openapi:lint', timeoutMs: 2 * minute, needs: 'packages/core-api/openapi' },
]

/** The checks that have something to check. */
export const findChecks = () => checks.filter(({ needs }) => needs === undefined || existsSync(join(projectRoot, needs)))
