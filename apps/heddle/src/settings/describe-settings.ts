import { alignTable } from './align-table.ts'
import { fileVariableOf } from './secret-files.ts'
import { flagOf, isGivenAsFile, type Setting, type SettingKey, settingKeys, settings, variableOf } from './settings.ts'

/** The flag with the form of its value, and the line of `--help`. */
export function helpOf(key: SettingKey): { flag: string; text: string } {
  const setting: Setting<unknown> = settings[key]
  const isSecret = setting.kind.isSecret ? '; use the variable to keep it out of process lists' : ''
  return {
    flag: `${flagOf(key)} ${setting.kind.placeholder}`,
    text: `${setting.help}${isSecret} (default: ${defaultOf(setting)}) [${variableOf(key)}]`,
  }
}

/** The list of settings in the README, as a Markdown table. */
export function settingsTable(): string {
  const rows = settingKeys.map((key) => {
    const setting: Setting<unknown> = settings[key]
    const about = setting.about === undefined ? '' : `. ${setting.about}`
    const file = isGivenAsFile(key) ? `${about.endsWith('.') ? '' : '.'} In a file: \`${fileVariableOf(variableOf(key))}\`` : ''
    const fallback = 'default' in setting && setting.default !== '' ? `\`${setting.default}\`` : defaultOf(setting)
    const flag = `\`${flagOf(key)} ${setting.kind.placeholder}\``
    return [`\`${variableOf(key)}\``, flag, fallback, `${setting.help}${about}${file}`].map(escapeCell)
  })
  return alignTable([['variable', 'flag', 'default', 'meaning'], ...rows])
}

function defaultOf(setting: Setting<unknown>): string {
  if ('otherwise' in setting) return setting.otherwise
  return setting.default === '' ? 'none' : setting.default
}

const escapeCell = (text: string) => text.replaceAll('|', '\\|')
