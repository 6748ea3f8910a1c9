import { flagOf, type Setting, type SettingKey, settingKeys, settings, variableOf } from './settings.ts'

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
    const fallback = 'default' in setting && setting.default !== '' ? `\`${setting.default}\`` : defaultOf(setting)
    const flag = `\`${flagOf(key)} ${setting.kind.placeholder}\``
    return [`\`${variableOf(key)}\``, flag, fallback, `${setting.help}${about}`].map(escapeCell)
  })
  return alignTable([['variable', 'flag', 'default', 'meaning'], ...rows])
}

function defaultOf(setting: Setting<unknown>): string {
  if ('otherwise' in setting) return setting.otherwise
  return setting.default === '' ? 'none' : setting.default
}

const escapeCell = (text: string) => text.replaceAll('|', '\\|')

/** The first row is the head. Columns are as wide as their widest cell, as the formatter makes them. */
function alignTable([head = [], ...rows]: readonly string[][]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  const toLine = (row: readonly string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [toLine(head), toLine(widths.map((width) => '-'.repeat(width))), ...rows.map(toLine)].join('\n')
}
