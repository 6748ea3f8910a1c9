import { isGivenAsFile, type Setting, type SettingKey, settingKeys, settings, variableOf } from './settings.ts'

/** Settings that the Helm chart sets by values with other names, or that do not apply to servers in a cluster. */
const ownValues: ReadonlySet<SettingKey> = new Set([
  'host',
  'port',
  'basePath',
  'url',
  'dataDir',
  'apiKey',
  'clickhouseUrl',
  'databaseUrl',
  'blobsUrl',
  'otlpGrpcAddress',
  'metricsAddress',
  'drainDelaySeconds',
  'drainLimitSeconds',
  'timeZone',
] satisfies SettingKey[])

/** The variables that the values `settings` (never a secret) and `settingsFromSecrets` of the Helm chart take. */
export function chartSettings(): { plain: string[]; fromSecrets: string[] } {
  const others = settingKeys.filter((key) => !ownValues.has(key))
  const isSecret = (key: SettingKey) => (settings[key] as Setting<unknown>).kind.isSecret === true
  return { plain: others.filter((key) => !isSecret(key)).map(variableOf), fromSecrets: others.filter(isGivenAsFile).map(variableOf) }
}
