import process from 'node:process'
import { inject } from 'vitest'
import './provided-context.ts'

let seed: number | undefined

/**
 * From which random input of tests follows, a 32-bit number: always the same in `npm test`, whose result must not depend on chance, and another one in each
 * `npm run test:long`, which looks for further ones that fail. `HEDDLE_TEST_SEED` names one to repeat a run.
 */
export function testSeed(): number {
  seed ??= Number(process.env['HEDDLE_TEST_SEED'] ?? (inject('long') ? Math.floor(Math.random() * 2 ** 31) : 20_261_130))
  return seed
}
