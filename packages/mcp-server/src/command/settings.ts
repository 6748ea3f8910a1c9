import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { nearestName } from '@heddle/spelling'
import type { ServerOptions } from '../connection/server-options.ts'
import { unknownTools } from '../server/chosen-tools.ts'
import { parseProject } from '../tools/tool-context.ts'
import { tools } from '../tools/tools.ts'
import { type Toolset, toolsets } from '../tools/toolset.ts'
import { flags, type FlagValues } from './flags.ts'
import { UsageError } from './usage-error.ts'

const defaultHttpAddress = '127.0.0.1:7402'

export const logLevels = ['debug', 'info', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export type Environment = Readonly<Record<string, string | undefined>>

/** The parsed command line. */
export interface CommandLine {
  command: 'serve' | 'doctor' | 'init'
  /** Of `init`: the assistant. */
  client?: string
  values: FlagValues
}

/** @throws UsageError for flags that do not exist, and for a key among them */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const leaking = args.find((arg) => /^--?(api[-_]?key|key|token)\b/i.test(arg))
  if (leaking !== undefined && !leaking.startsWith('--token-file')) {
    throw new UsageError(
      `${leaking.split('=')[0]} is not taken: other users of this machine see command lines, and shells keep them. Set HEDDLE_API_KEY, or put api_key into a file for --config`,
    )
  }
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [name, { type: flag.type, ...('short' in flag && { short: flag.short }) }]),
  )
  try {
    const { values, positionals } = parseArgs({ args: withHttpAddress(args), options, allowPositionals: true })
    return { ...readCommand(positionals), values: values as FlagValues }
  } catch (error) {
    if (error instanceof UsageError) throw error
    const text = error instanceof Error ? error.message : String(error)
    const name = /'--([\w-]+)/.exec(text)?.[1]
    const nearest = name === undefined ? undefined : nearestName(name, Object.keys(flags))
    throw new UsageError(nearest === undefined ? text : `unknown option --${name}; did you mean --${nearest}?`)
  }
}

/** `--http` alone means the default address. */
function withHttpAddress(args: readonly string[]): string[] {
  return args.map((arg, at) => (arg === '--http' && (args[at + 1] ?? '-').startsWith('-') ? `--http=${defaultHttpAddress}` : arg))
}

function readCommand([command = 'serve', client, ...more]: readonly string[]): Omit<CommandLine, 'values'> {
  if (command !== 'serve' && command !== 'doctor' && command !== 'init')
    throw new UsageError(`unknown command "${command}"; there are doctor and init, and none to serve`)
  if (more.length > 0) throw new UsageError(`unexpected "${more[0]}"`)
  return { command, ...(client !== undefined && { client }) }
}

interface ConfigFile {
  url?: string
  training_url?: string
  project?: string
  api_key?: string
}

/** Reads flags, variables and the file; flags win, then variables. @throws UsageError that lists the permitted values */
export function toServerOptions(values: FlagValues, environment: Environment): ServerOptions {
  // Assistants set values that the user left empty to an empty text.
  const variable = (name: string) => environment[name] || undefined
  const file = values.config === undefined ? {} : readConfigFile(values.config)
  const baseUrl = readUrl('--url', values.url ?? variable('HEDDLE_BASE_URL') ?? file.url ?? 'http://127.0.0.1:7400')
  const trainingUrl = values['training-url'] ?? variable('HEDDLE_TRAINING_BASE_URL') ?? file.training_url
  const apiKey = variable('HEDDLE_API_KEY') ?? file.api_key
  const project = readProject(values.project ?? variable('HEDDLE_PROJECT') ?? file.project)
  const listed = listOf(values.toolsets)
  const isOnDemand = listed?.includes('auto') === true
  const others = listed?.filter((name) => name !== 'auto')
  // `auto` alone finds everything.
  const chosen = isOnDemand && others?.length === 0 ? [...toolsets] : others
  const named = listOf(values.tools)
  const excluded = listOf(values['exclude-tools'])
  return {
    baseUrl,
    ...(trainingUrl !== undefined && { trainingBaseUrl: readUrl('--training-url', trainingUrl) }),
    ...(apiKey !== undefined && { apiKey }),
    ...(project !== undefined && { project }),
    ...(chosen && { toolsets: chosen.map(readToolset) }),
    ...(isOnDemand && { onDemand: true }),
    ...(named && { tools: checkTools('--tools', named) }),
    ...(excluded && { excludeTools: checkTools('--exclude-tools', excluded) }),
    readOnly: values['read-only'] === true,
    allowWrites: values['allow-writes'] === true,
    allowDestructive: values['allow-destructive'] === true,
    ...(values['max-tokens'] !== undefined && { maxTokens: readMaxTokens(values['max-tokens']) }),
  }
}

function readConfigFile(path: string): ConfigFile {
  try {
    const read: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof read !== 'object' || read === null || Array.isArray(read)) throw new Error('it holds no JSON object')
    const known = ['url', 'training_url', 'project', 'api_key']
    const bad = Object.entries(read).find(([name, value]) => !known.includes(name) || typeof value !== 'string')
    if (bad) throw new Error(`"${bad[0]}" is not one of ${known.join(', ')} with a text`)
    return read
  } catch (error) {
    // The reason of a parser may quote the key.
    const reason = error instanceof SyntaxError ? 'it is not valid JSON' : error instanceof Error ? error.message : String(error)
    throw new UsageError(`cannot read --config ${path}: ${reason}`)
  }
}

function readUrl(flag: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(`${flag} must be a URL such as http://127.0.0.1:7400, got ${JSON.stringify(text)}`)
  if (url.username !== '' || url.password !== '') throw new UsageError(`${flag} must not contain credentials; set HEDDLE_API_KEY`)
  return text.replace(/\/+$/, '')
}

function readProject(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  try {
    return parseProject(text).id
  } catch {
    throw new UsageError(`--project must be entity/project, got ${JSON.stringify(text)}`)
  }
}

export function listOf(text: string | undefined): string[] | undefined {
  return text
    ?.split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function readToolset(name: string): Toolset {
  const toolset = toolsets.find((one) => one === name)
  if (toolset === undefined) throw new UsageError(`--toolsets: no toolset "${name}"; there are ${toolsets.join(', ')}, and auto`)
  return toolset
}

function checkTools(flag: string, names: string[]): string[] {
  const [unknown] = unknownTools(names)
  if (unknown === undefined) return names
  const known = tools.map(({ name }) => name)
  const nearest = nearestName(unknown, known)
  throw new UsageError(
    `${flag}: no tool "${unknown}"; ${nearest === undefined ? `there are ${known.join(', ')}` : `did you mean ${nearest}?`}`,
  )
}

function readMaxTokens(text: string): number {
  const tokens = Number(text)
  if (!Number.isInteger(tokens) || tokens < 500 || tokens > 20_000)
    throw new UsageError(`--max-tokens must be from 500 to 20000, got ${JSON.stringify(text)}`)
  return tokens
}

export function readLogLevel(text: string = 'error'): LogLevel {
  const level = logLevels.find((one) => one === text)
  if (level === undefined) throw new UsageError(`--log-level must be one of ${logLevels.join(', ')}, got ${JSON.stringify(text)}`)
  return level
}
