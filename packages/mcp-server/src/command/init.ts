import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { ServerOptions } from '../connection/server-options.ts'
import { clients, type ClientSettings, serverEntry } from './client-settings.ts'
import { UsageError } from './usage-error.ts'

export interface InitRequest {
  client: string | undefined
  options: ServerOptions
  /** Whether to change the file. */
  write: boolean
  cwd: string
  print: (text: string) => void
}

/** Shows the changes in the settings of an assistant, and applies them if requested. @throws UsageError for files that cannot be merged */
export async function init({ client, options, write, cwd, print }: InitRequest): Promise<void> {
  const settings = client === undefined ? undefined : (clients as Record<string, ClientSettings>)[client]
  if (!settings)
    throw new UsageError(`init needs one of ${Object.keys(clients).join(', ')}${client === undefined ? '' : `, got "${client}"`}`)
  const path = resolve(cwd, settings.path)
  const before = await readSettings(path)
  const servers = before[settings.key] ?? {}
  if (typeof servers !== 'object' || Array.isArray(servers))
    throw new UsageError(`"${settings.key}" in ${path} is not an object; fix it first`)
  const after = { ...before, [settings.key]: { ...servers, heddle: serverEntry({ ...options, apiKey: settings.apiKey }) } }
  const [old, wanted] = [JSON.stringify(before, null, 2), JSON.stringify(after, null, 2)]
  if (old === wanted) return print(`${path} has it already.\n`)
  print(`${path}\n${diff(old, wanted)}\n`)
  if (!write) return print('Nothing was written; pass --write to do so.\n')
  await mkdir(dirname(path), { recursive: true })
  // Another program may read it at any time.
  await writeFile(`${path}.new`, `${wanted}\n`)
  await rename(`${path}.new`, path)
  print(
    settings.apiKey.startsWith('$')
      ? 'Written. Set HEDDLE_API_KEY where the assistant is started.\n'
      : `Written. Put ${settings.apiKey} in place of that text in ${path}: this assistant reads no variables.\n`,
  )
}

async function readSettings(path: string): Promise<Record<string, unknown>> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw new UsageError(`cannot read ${path}: ${error.message}`)
  })
  try {
    const read: unknown = JSON.parse(text.trim() === '' ? '{}' : text)
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read as Record<string, unknown>
  } catch {
    // Reported below.
  }
  throw new UsageError(`${path} is not a JSON object, so it cannot be merged; add the server by hand`)
}

/** Lines that are only in one of two texts, with the sign of which; the same lines between them. */
function diff(before: string, after: string): string {
  const [old, wanted] = [before.split('\n'), after.split('\n')]
  let start = 0
  while (start < old.length && old[start] === wanted[start]) start++
  let end = 0
  while (end < old.length - start && end < wanted.length - start && old.at(-1 - end) === wanted.at(-1 - end)) end++
  const lines = (list: readonly string[], sign: string) => list.slice(start, list.length - end).map((line) => `${sign} ${line}`)
  return [...old.slice(Math.max(0, start - 2), start).map((line) => `  ${line}`), ...lines(old, '-'), ...lines(wanted, '+')].join('\n')
}
