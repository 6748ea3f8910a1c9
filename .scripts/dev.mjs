import { join } from 'node:path'
import { endWithNpm } from './terminal/end-with-npm.mjs'
import { install } from './install.mjs'
import { projectRoot } from './project-root.mjs'
import { runInTerminal } from './terminal/run-command.mjs'

endWithNpm()
await install()
const command = ['tsx', 'watch', '--clear-screen=false', 'apps/heddle/src/main.ts', 'serve', '--end-with-parent', ...process.argv.slice(2)]
const dataDir = process.env['HEDDLE_DATA_DIR'] ?? join(projectRoot, '.heddle-dev')
process.exit(await runInTerminal(command, { HEDDLE_DATA_DIR: dataDir }))
