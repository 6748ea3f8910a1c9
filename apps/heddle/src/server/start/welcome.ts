import { basename, relative } from 'node:path'
import { type Configuration, toConfiguration } from '../../settings/configuration.ts'
import type { AdminKey } from './first-start.ts'

export interface WelcomeFacts {
  version: string
  /** Base address, without a slash at the end. */
  url: string
  /** Address for browsers, also that of a proxy before the server. */
  publicUrl: string
  dataDir: string
  key: AdminKey
  /** The secret itself, only where a person sees it for the first time. */
  secret?: string
  /** Why others may read traffic to the server. Absent where they cannot. */
  warning?: string
  /** Signs a browser in once. Only where a person sees it. */
  signInLink?: string
  /** Body of the request of the example, without an apostrophe. */
  span: string
  /** How the command is called here, with the flags that lead to this server. */
  command: { name: string; flags: string }
}

/** What the server says when it is ready: where it is, where the key is, and one line that sends a first trace. */
export function welcome(facts: WelcomeFacts): string {
  const { url, key, dataDir, version, command } = facts
  const call = (words: string) => `${command.name} ${words}${command.flags}`
  return [
    `Heddle ${version} is ready at ${url}`,
    ``,
    `  Open         ${facts.signInLink ?? `${facts.publicUrl}   (${call('sign-in-link')} signs you in)`}`,
    ...(facts.signInLink === undefined
      ? []
      : [`               signs you in once, in the next ten minutes; for another: ${call('sign-in-link')}`]),
    ...(facts.warning === undefined ? [] : [`  WARNING      ${facts.warning}`]),
    `  Data         ${dataDir}`,
    `  Key          ${describeKey(facts)}`,
    `  First trace  ${firstTrace(facts)}`,
    `  See it       ${call('traces list')}`,
    ...(key.source === 'none'
      ? []
      : [`  Look around  ${call('demo')}   (fills local/demo with traces, evaluations and training, in a few minutes)`]),
    ...(key.source === 'none' ? [] : [`  Any program  eval "$(${call('print-env')})"   (with OpenTelemetry)`]),
    ``,
  ].join('\n')
}

function describeKey({ key, secret, command }: WelcomeFacts): string {
  if (key.source === 'configuration') return 'from HEDDLE_API_KEY'
  if (key.source === 'none') return `any active key of \`${command.name} keys list${command.flags}\``
  return secret === undefined ? `in ${key.path}` : `${secret}   (saved in ${key.path})`
}

/** A line for a shell; the key is read when it runs, so it stays out of the line. Sent twice it is still one trace. */
function firstTrace({ url, key, span }: WelcomeFacts): string {
  const secret = key.source === 'file' ? `$(cat ${quoted(key.path)})` : key.source === 'configuration' ? '$HEDDLE_API_KEY' : '$KEY'
  return `curl ${url}/otel/v1/traces -u "api:${secret}" -H 'project-id: local/default' -H 'content-type: application/json' -d '${span}'`
}

/** A path as a word of a shell. */
export function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}

/** How a person calls this command: by its name where it is installed, else by the path of the script. */
export function commandName(script: string): string {
  return basename(script) === 'heddle' ? 'heddle' : `node ${quoted(relative('.', script))}`
}

/** Flags with which the command finds a server that does not run with the defaults. */
export function flagsTo(
  { port }: { port: number },
  { host, dataDir, basePath }: Pick<Configuration, 'host' | 'dataDir' | 'basePath'>,
): string {
  const standard = toConfiguration({ environment: {}, flags: { dataDir } })
  const flags = [
    ...(host === standard.host ? [] : ['--host', host]),
    ...(port === standard.port ? [] : ['--port', String(port)]),
    ...(basePath === standard.basePath ? [] : ['--base-path', basePath]),
    ...(isDefaultFolder(dataDir) ? [] : ['--data-dir', quoted(dataDir)]),
  ]
  return flags.map((flag) => ` ${flag}`).join('')
}

function isDefaultFolder(dataDir: string): boolean {
  try {
    return toConfiguration({ environment: {}, flags: {} }).dataDir === dataDir
  } catch {
    // The default is in the home folder, which some users do not have.
    return false
  }
}
