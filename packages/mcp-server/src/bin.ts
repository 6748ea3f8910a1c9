#!/usr/bin/env node
import { runProgram } from './command/run-program.ts'

const code = await runProgram(process.argv.slice(2), {
  environment: process.env,
  cwd: process.cwd(),
  nodeVersion: process.version,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  untilStopped: () =>
    new Promise((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
    }),
})
if (code !== undefined) process.exitCode = code
