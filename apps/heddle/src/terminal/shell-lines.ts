/** `export NAME='value'` lines that a POSIX shell can evaluate, whatever the values hold. */
export function toShellLines(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", `'\\''`)}'`)
    .join('\n')
}

/** `NAME=value` lines for an env file, which has no quoting. */
export function toEnvFileLines(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')
}
