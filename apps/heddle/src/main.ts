#!/usr/bin/env node
import { runProgram } from './run-program.ts'
import { runWithHeap } from './process/run-with-heap.ts'
import { createTerminalStreams } from './terminal/terminal.ts'

// Whatever a command writes, the data folder, backups and exports, holds prompts and answers.
process.umask(0o077)

// A command ends when its output pipe is closed; a server keeps running.
const onOutputClosed = () => {
  if (process.argv[2] !== 'serve') process.exit()
}
const { stdout, stderr } = process
const deps = { environment: process.env, terminal: createTerminalStreams({ stdout, stderr, onOutputClosed }), runAgain: runWithHeap }
const onExitCode = (code: number) => void (process.exitCode = code)
process.exitCode = await runProgram(process.argv.slice(2), { ...deps, onExitCode })
