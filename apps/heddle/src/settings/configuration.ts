import { nearestName } from '@heddle/spelling'
import { fileVariableOf, readSecretVariable } from './secret-files.ts'
import {
  flagOf,
  isGivenAsFile,
  type OptionalSetting,
  type Setting,
  type SettingKey,
  settingKeys,
  settings,
  variableOf,
} from './settings.ts'
import type { Environment, ValueKind } from './value-kinds.ts'

export type { CatalogueSource, Environment } from './value-kinds.ts'

type ValueOf<Each> = Each extends { kind: ValueKind<infer Value> }
  ? Each extends OptionalSetting<unknown>
    ? Value | undefined
    : Value
  : never

/** What an operator decides, by the keys of `settings`. Every value has been checked; paths are absolute, base URLs have no slash at the end. */
export type Configuration = { -readonly [Key in SettingKey]: ValueOf<(typeof settings)[Key]> }

/** Texts of flags, by the setting. */
export type Flags = Partial<Record<SettingKey, string>>

/**
 * Puts flags before variables before defaults. An empty variable counts as not set.
 * @throws UsageError that names the setting, its value and what is allowed.
 */
export function toConfiguration({ environment, flags }: { environment: Environment; flags: Flags }): Configuration {
  const values = settingKeys.map((key) => [key, readSetting({ key, environment, flags })])
  // The compiler does not follow the type of a value by its key through a list.
  return Object.fromEntries(values) as Configuration
}

function readSetting({ key, environment, flags }: { key: SettingKey; environment: Environment; flags: Flags }): unknown {
  const setting: Setting<unknown> = settings[key]
  const flag = flags[key]
  const text = flag ?? readVariable(key, environment) ?? ('default' in setting ? setting.default : undefined)
  if (text === undefined) return undefined
  return setting.kind.parse({ source: flag === undefined ? variableOf(key) : flagOf(key), text, environment })
}

function readVariable(key: SettingKey, environment: Environment): string | undefined {
  const name = variableOf(key)
  return isGivenAsFile(key) ? readSecretVariable(environment, name) : environment[name] || undefined
}

const prefix = 'HEDDLE_'

/** Variables of programs that send their spans here; they may be set in the same shell. */
const variablesOfPackages = ['TRAINING_BASE_URL', 'PROJECT', 'SPANS', 'SAMPLE', 'MASK', 'SPOOL_DIR', 'DISABLED'].map(
  (name) => `${prefix}${name}`,
)

/** One line for each `HEDDLE_` variable that nothing reads, with the known name that is spelled almost like it. */
export function warningsOf(environment: Environment): string[] {
  const ofFiles = settingKeys.filter(isGivenAsFile).map((key) => fileVariableOf(variableOf(key)))
  const known = [...settingKeys.map(variableOf), ...ofFiles, ...variablesOfPackages]
  return Object.keys(environment)
    .filter((name) => name.startsWith(prefix) && !known.includes(name))
    .toSorted()
    .map((name) => `unknown setting ${name} is ignored${suggestionFor(name, known)}; \`heddle serve --help\` lists all settings`)
}

function suggestionFor(name: string, known: readonly string[]): string {
  const withoutPrefix = (one: string) => one.slice(prefix.length)
  const nearest = nearestName(withoutPrefix(name), known.map(withoutPrefix))
  return nearest === undefined ? '' : `; did you mean ${prefix}${nearest}?`
}
