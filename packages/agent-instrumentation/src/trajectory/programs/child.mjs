import { createRequire } from 'node:module'
import { continueAttempt } from './agent.mjs'

const [commonJs, carrier] = process.argv.slice(2)
const copy = createRequire(import.meta.url)(commonJs)
process.send(await continueAttempt(copy, JSON.parse(carrier), 'process'), () => process.disconnect())
