import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The TypeScript examples of a package's README, in their order.
 * @param {string} folder of the installed package
 * @returns {string[]}
 */
export function readmeExamples(folder) {
  const readme = readFileSync(join(folder, 'README.md'), 'utf8')
  return [...readme.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => code)
}
