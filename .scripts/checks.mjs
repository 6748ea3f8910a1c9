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

/** What must pass before the tests run. They start in this order: the longest first, since two run at a time. @type {readonly Check[]} */
const checks = [
  { title: 'build and packages', script: 'package:check', timeoutMs: 10 * minute },
  { title: 'types', script: 'typecheck', timeoutMs: 5 * minute },
  { title: 'import rules', script: 'structure', timeoutMs: 3 * minute },
  { title: 'format', script: 'format:check', timeoutMs: minute },
  { title: 'lint', script: 'lint', timeoutMs: 2 * minute },
  { title: 'generated files', script: 'gen:check', timeoutMs: minute, needs: '.scripts/gen.ts' },
  { title: 'OpenAPI documents', script: 'openapi:lint', timeoutMs: 2 * minute, needs: 'packages/core-api/openapi' },
]

/** The checks that have something to check. */
export const findChecks = () => checks.filter(({ needs }) => needs === undefined || existsSync(join(projectRoot, needs)))
