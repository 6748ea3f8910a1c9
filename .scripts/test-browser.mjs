import { endWithNpm } from './terminal/end-with-npm.mjs'
import { install } from './install.mjs'
import { installChromium } from './browser/install-chromium.mjs'
import { runCommand } from './terminal/run-command.mjs'

/** Twice the time on two cores that do nothing else. */
const testLimitMs = 60 * 60_000
const vitest = ['vitest', 'run', '--config', '.config/vitest.config.ts', '--project', 'browser']

// All browser tests with all their cases. Arguments go to vitest: a path, or `-t` and a name.
endWithNpm()
await install()
await installChromium()
const env = { HEDDLE_TEST_BROWSER: 'all', ...(process.stdout.isTTY && { FORCE_COLOR: '1' }) }
const { code, interrupted } = await runCommand([...vitest, ...process.argv.slice(2)], { timeoutMs: testLimitMs, show: true, env })
process.exit(interrupted ? 130 : code)
