import { readFileSync } from 'node:fs'
import { createSecretMask, type SecretMask } from '@heddle/outgoing'
import type { Terminal } from '../terminal/terminal.ts'
import { adminKeyPath } from './admin-key-file.ts'
import { keysOfProviders, passwordsOf } from './configured-secrets.ts'
import { readSecretVariable } from './secret-files.ts'
import { flagOf, isGivenAsFile, type Setting, type SettingKey, settingKeys, settings, variableOf } from './settings.ts'
import { type Environment, fileKind, folderKind } from './value-kinds.ts'

/** How a command was called. */
export interface CalledCommand {
  args: readonly string[]
  environment: Environment
}

const bucketVariables = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN']

/**
 * The same terminal with the secrets of the configuration masked in all that is not data: errors, warnings and progress. Data stays as it is, since
 * commands such as `keys create` and `print-env` are called for a secret.
 */
export function withMaskedNotes(terminal: Terminal, called: CalledCommand): Terminal {
  let mask: SecretMask | undefined
  // Most commands note nothing, and need no mask.
  const masked = (text: string) => (text === '' ? text : (mask ??= createSecretMask(secretsOfCommand(called))).text(text))
  return {
    out: (text) => terminal.out(text),
    json: (text) => terminal.json(text),
    exact: (text) => terminal.exact(text),
    note: (text) => terminal.note(masked(text)),
    status: (text) => terminal.status(masked(text)),
    isInteractive: terminal.isInteractive,
  }
}

/** Of flags and variables as they were given, also where another one of them is refused, and of the files that they name. Never throws. */
function secretsOfCommand(called: CalledCommand): string[] {
  const { environment } = called
  const ofSettings = settingKeys.flatMap((key) => {
    const { kind }: Setting<unknown> = settings[key]
    return textsOf(key, called).flatMap((text) => (kind.isSecret === true ? [text] : passwordsOf(text)))
  })
  const ofBucket = bucketVariables.flatMap((name) => secretsOfVariable(environment, name))
  const dataDirs = [settings.dataDir.default, ...textsOf('dataDir', called)]
  const ofFiles = [
    ...dataDirs.map((text) => () => [readFileSync(adminKeyPath(pathOf(folderKind, text)), 'utf8').trim()]),
    ...textsOf('providersFile', called).map((text) => () => keysOfProviders(readFileSync(pathOf(fileKind, text), 'utf8'))),
  ]
  return [...ofSettings, ...ofBucket, ...ofFiles.flatMap(readOrNone)]
}

const pathOf = (kind: typeof folderKind, text: string) => kind.parse({ source: '', text, environment: {} })

/** A file that cannot be read has no secret that the command knows. */
function readOrNone(read: () => string[]): string[] {
  try {
    return read()
  } catch {
    return []
  }
}

/** What the variable and the flag of a setting say. */
function textsOf(key: SettingKey, { args, environment }: CalledCommand): string[] {
  const flag = flagOf(key)
  const ofFlags = args.flatMap((arg, index) => {
    if (arg === flag) return args[index + 1] ?? []
    return arg.startsWith(`${flag}=`) ? arg.slice(flag.length + 1) : []
  })
  const name = variableOf(key)
  const ofVariable = isGivenAsFile(key) ? secretsOfVariable(environment, name) : [environment[name] ?? '']
  return [...ofVariable, ...ofFlags].filter((text) => text !== '')
}

/** Secrets of the variable and of its file, even if one of them is refused. */
function secretsOfVariable(environment: Environment, name: string): string[] {
  const inFile = readOrNone(() => [readSecretVariable({ ...environment, [name]: undefined }, name) ?? ''])
  return [environment[name] ?? '', ...inFile].filter((text) => text !== '')
}
