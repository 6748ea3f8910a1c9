import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The last releases of the lines of Node that the command supports, as `.scripts/record-node-options.ts` recorded their options. */
export const supportedNodes = ['20.20.2', '22.23.5', '24.22.3'] as const

/** Long names of all options that a binary of Node takes, its engine's with them, sorted. */
export async function readNodeOptions(node: string): Promise<string[]> {
  const ask = async (...args: string[]) => (await run(node, args, { maxBuffer: 16 * 1024 ** 2 })).stdout
  const [help, engine, allowed] = await Promise.all([
    ask('--help'),
    ask('--v8-options'),
    ask('-p', 'JSON.stringify([...process.allowedNodeEnvironmentFlags])'),
  ])
  const listed = [...`${help}\n${engine}`.matchAll(/(?<=^|[\s,])--[a-z][a-z0-9-]*/gm)].map(([name]) => name)
  const ofEnvironment = (JSON.parse(allowed) as string[]).filter((name) => name.startsWith('--'))
  return [...new Set([...listed, ...ofEnvironment])].toSorted()
}

/** The path of a binary of Node from its npm package for this machine, which npm keeps in its cache. */
export async function fetchNode(version: string): Promise<string> {
  const system = process.platform === 'win32' ? 'win' : process.platform
  const { stdout } = await run(
    'npm',
    ['exec', '--yes', `--package=node-${system}-${process.arch}@${version}`, '--', 'node', '-p', 'process.execPath'],
    { timeout: 300_000 },
  )
  return stdout.trim()
}
