import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { endWithNpm } from './terminal/end-with-npm.mjs'
import { install } from './install.mjs'
import { installChromium } from './browser/install-chromium.mjs'
import { projectRoot } from './project-root.mjs'
import { runCommand } from './terminal/run-command.mjs'

const limitMs = 15 * 60_000
const test = 'apps/heddle/src/browser-tests/client-pictures.test.ts'
const prefix = 'client-'

// Draws the pictures of the pages about clients again, from recordings of what these clients send.
endWithNpm()
await install()
await installChromium()
const command = ['vitest', 'run', '--config', '.config/vitest.config.ts', '--project', 'browser', test, '-t', 'can be drawn again']
const { code, interrupted } = await runCommand(command, { timeoutMs: limitMs, show: true, env: { HEDDLE_TEST_BROWSER: 'all' } })
if (code === 0 && !interrupted) {
  const drawn = join(projectRoot, '.screenshots')
  const folder = join(projectRoot, 'docs', 'clients', 'pictures')
  await mkdir(folder, { recursive: true })
  for (const name of await readdir(drawn)) {
    if (!name.startsWith(prefix)) continue
    await copyFile(join(drawn, name), join(folder, name.slice(prefix.length)))
    process.stdout.write(`docs/clients/pictures/${name.slice(prefix.length)}\n`)
  }
}
process.exit(interrupted ? 130 : code)
