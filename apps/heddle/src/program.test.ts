import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Command } from 'commander'
import { expect, onTestFinished, test } from 'vitest'
import { createProgram } from './program.ts'
import { runCommandHere } from './testing/run-command.ts'

const run = promisify(execFile)
const nothing = () => undefined
const terminal = { out: nothing, note: nothing, status: nothing, isInteractive: false }

/** The command with all below it. */
const withAllBelow = (command: Command): Command[] => [command, ...command.commands.flatMap(withAllBelow)]

const commands = withAllBelow(createProgram({ environment: {}, terminal, setExitCode: nothing }))
const shownOptions = commands.flatMap(({ options }) => options.filter((option) => !option.hidden))
const longNames = [...new Set(shownOptions.flatMap(({ long }) => long ?? []))].toSorted()

async function optionsOfNode(): Promise<Set<string>> {
  const [{ stdout: help }, { stdout: engine }] = await Promise.all([
    run(process.execPath, ['--help']),
    run(process.execPath, ['--v8-options'], { maxBuffer: 16 * 1024 ** 2 }),
  ])
  const listed = [...`${help}\n${engine}`.matchAll(/(?<=^|[\s,])--[a-z][a-z0-9-]*/gm)].map(([name]) => name)
  return new Set([...process.allowedNodeEnvironmentFlags, ...listed])
}

test('options of the command do not have the names of those of Node', async () => {
  const names = await optionsOfNode()
  expect([...names]).toEqual(expect.arrayContaining(['--env-file', '--max-old-space-size']))
  // Node reads these before the script alone.
  const shared = ['--version', '--watch']
  expect(longNames.filter((name) => names.has(name))).toEqual(shared)
})

test('Node passes every option on to the script, whatever follows it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-options-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const script = join(folder, 'words.mjs')
  writeFileSync(script, 'console.log(JSON.stringify(process.argv.slice(2)))')
  const words = longNames.flatMap((name) => [name, 'no-such-file'])
  expect(longNames).toEqual(expect.arrayContaining(['--dotenv', '--project', '--log-level', '--data-dir']))
  const { stdout } = await run(process.execPath, [script, ...words])
  expect(JSON.parse(stdout)).toEqual(words)
})

test('print-env writes a .env file by the name of its option, and by the former one', async () => {
  const environment = { HEDDLE_API_KEY: 'heddle-key-of-sixteen', HEDDLE_PROJECT: 'me/first' }
  const [{ out: dotenv }, { out: former }, { out: shell }] = await Promise.all([
    runCommandHere(['print-env', '--dotenv', '--project', 'a/b'], environment),
    runCommandHere(['print-env', '--env-file', '--project', 'a/b'], environment),
    runCommandHere(['print-env', '--project', 'a/b'], environment),
  ])
  expect(dotenv).toMatch(/^OTEL_TRACES_EXPORTER=/)
  expect(former).toBe(dotenv)
  expect(shell).toMatch(/^export OTEL_TRACES_EXPORTER=/)
  expect((await runCommandHere(['print-env', '--help'], {})).out).not.toContain('--env-file')
})
