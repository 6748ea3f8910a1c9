import { startStandIn } from './start-stand-in.ts'

// Serves until it is ended, and prints its address.
const { url } = await startStandIn()
process.stdout.write(`${url}\n`)
