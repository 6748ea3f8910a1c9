import { builtCommand, buildCommand } from './build-command.mjs'
import { endWithNpm } from './terminal/end-with-npm.mjs'
import { install } from './install.mjs'
import { runInTerminal } from './terminal/run-command.mjs'

endWithNpm()
await install()
await buildCommand()
process.exit(await runInTerminal([process.execPath, builtCommand, 'serve', '--end-with-parent', ...process.argv.slice(2)]))
