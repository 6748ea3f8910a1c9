import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { buildCommand } from './build-command.mjs'
import { endWithNpm } from './terminal/end-with-npm.mjs'
import { findChromium } from './browser/find-chromium.mjs'
import { install } from './install.mjs'
import { installChromium } from './browser/install-chromium.mjs'
import { projectRoot } from './project-root.mjs'
import { runInTerminal } from './terminal/run-command.mjs'

const folder = join(projectRoot, 'benchmarks')
const names = readdirSync(folder)
  .filter((name) => existsSync(join(folder, name, 'run.ts')))
  .sort()
const [name = '', ...args] = process.argv.slice(2)
if (!names.includes(name)) {
  const asked = name === '' ? 'Name a benchmark' : `Unknown benchmark "${name}"`
  process.stderr.write(`${asked}: npm run bench -- <name>, where name is one of: ${names.join(', ') || '(none yet)'}\n`)
  process.exit(2)
}
endWithNpm()
await install()
await buildCommand()
if (name === 'web' && !args.includes('--help')) {
  await installChromium()
  process.env['HEDDLE_TEST_CHROMIUM'] = findChromium()
}
process.exit(await runInTerminal(['tsx', join('benchmarks', name, 'run.ts'), ...args]))
