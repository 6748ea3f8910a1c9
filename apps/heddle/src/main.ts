#!/usr/bin/env node
import { runProgram } from './run-program.ts'
import { createTerminal } from './terminal/terminal.ts'

// Whatever a command writes, the data folder, backups and exports, holds prompts and answers.
process.umask(0o077)

const onExitCode = (code: number) => void (process.exitCode = code)
process.exitCode = await runProgram(process.argv.slice(2), { environment: process.env, terminal: createTerminal(process), onExitCode })
