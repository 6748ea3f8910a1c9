import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Command } from 'commander'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createProgram } from './program.ts'
import { fetchNode, readNodeOptions, supportedNodes } from './testing/node-options.ts'
import { runCommandHere } from './testing/run-command.ts'
import { toTerminal } from './terminal/terminal.ts'

const run = promisify(execFile)
const nothing = () => undefined
const terminal = toTerminal({ out: nothing, note: nothing, status: nothing, isInteractive: false })

/** The command with all below it. */
const withAllBelow = (command: Command): Command[] => [command, ...command.commands.flatMap(withAllBelow)]

const commands = withAllBelow(createProgram({ environment: {}, terminal, setExitCode: nothing }))
const shownOptions = commands.flatMap(({ options }) => options.filter((option) => !option.hidden))
const longNames = [...new Set(shownOptions.flatMap(({ long }) => long ?? []))].toSorted()

const recorded = JSON.parse(readFileSync(new URL('./testing/node-options.json', import.meta.url), 'utf8')) as Record<string, string>

/** Those that both have. Node reads its own before the script alone. */
const shared = ['--version', '--watch']
const alsoOfNode = (names: readonly string[]) => longNames.filter((name) => names.includes(name))

test('the options of every Node that is supported are recorded', () => {
  expect(Object.keys(recorded)).toEqual(supportedNodes)
  const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { engines: { node: string } }
  expect(engines.node).toBe('>=20.19')
})

test.each(supportedNodes)('options of the command do not have the names of those of Node %s', (version) => {
  const names = recorded[version]!.split(' ')
  expect(names).toEqual(expect.arrayContaining(['--env-file', '--max-old-space-size', '--inspect']))
  expect(alsoOfNode(names)).toEqual(shared)
})

test('nor of those of the Node that runs here', async () => {
  expect(alsoOfNode(await readNodeOptions(process.execPath))).toEqual(shared)
})

/** Every option with a word behind it, as a script sees them that Node runs. */
async function passedOn(node: string): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-options-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const script = join(folder, 'words.mjs')
  writeFileSync(script, 'console.log(JSON.stringify(process.argv.slice(2)))')
  const { stdout } = await run(node, [script, ...allWords])
  return JSON.parse(stdout)
}
const allWords = longNames.flatMap((name) => [name, 'no-such-file'])

test('Node passes every option on to the script, whatever follows it', async () => {
  expect(longNames).toEqual(expect.arrayContaining(['--dotenv', '--project', '--log-level', '--data-dir']))
  expect(await passedOn(process.execPath)).toEqual(allWords)
})

test.each(inject('long') ? supportedNodes : [])(
  'Node %s has the options that are recorded of it, and passes every option of the command on to the script',
  { timeout: 600_000 },
  async (version) => {
    const node = await fetchNode(version)
    expect(await readNodeOptions(node)).toEqual(recorded[version]!.split(' '))
    expect(await passedOn(node)).toEqual(allWords)
  },
)

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

test('the server starts by "start" too, as with npm', () => {
  expect(commands.find((command) => command.aliases().includes('start'))?.name()).toBe('serve')
})
