import { builtCommand, buildCommand } from './build-command.mjs'
import { install } from './install.mjs'
import { runInTerminal } from './run-command.mjs'

await install()
await buildCommand()
process.exit(await runInTerminal([process.execPath, builtCommand, 'serve', ...process.argv.slice(2)]))
