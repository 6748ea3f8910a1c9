import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { endWithNpm } from './terminal/end-with-npm.mjs'
import { install } from './install.mjs'
import { installChromium } from './browser/install-chromium.mjs'
import { projectRoot } from './project-root.mjs'
import { runCommand } from './terminal/run-command.mjs'

const limitMs = 20 * 60_000
const test = 'apps/heddle/src/browser-tests/demo.test.ts'
/** What README and docs show, by the names under which the test keeps what it draws. */
const pictures = ['trace-page', 'comparison', 'training-job']
/** So many of training make curves. */
const rounds = 12

// Draws the pictures of README and docs again, from the data that `heddle demo` makes.
endWithNpm()
await install()
await installChromium()
const command = ['vitest', 'run', '--config', '.config/vitest.config.ts', '--project', 'browser', test]
const { code, interrupted } = await runCommand(command, {
  timeoutMs: limitMs,
  show: true,
  env: { HEDDLE_TEST_BROWSER: 'all', HEDDLE_TEST_DEMO_ROUNDS: String(rounds) },
})
if (code === 0 && !interrupted) {
  for (const name of pictures) {
    await copyFile(join(projectRoot, '.screenshots', `${name}.png`), join(projectRoot, 'docs', `${name}.png`))
    process.stdout.write(`docs/${name}.png\n`)
  }
}
process.exit(interrupted ? 130 : code)
