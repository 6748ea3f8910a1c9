#!/usr/bin/env node
import { runProgram } from './run-program.ts'
import { runWithHeap } from './server/process/run-with-heap.ts'
import { createTerminal } from './terminal/terminal.ts'

// Whatever a command writes, the data folder, backups and exports, holds prompts and answers.
process.umask(0o077)

const deps = { environment: process.env, terminal: createTerminal(process), runAgain: runWithHeap }
const onExitCode = (code: number) => void (process.exitCode = code)
process.exitCode = await runProgram(process.argv.slice(2), { ...deps, onExitCode })
