import type { Command } from 'commander'

/** What is wrong with the name of a command in a sentence, such as `eval show [run] --json`; undefined if nothing is. Arguments may be left out. */
export function faultOfNamedCommand(program: Command, text: string): string | undefined {
  const words = text.split(/\s+/)
  let command = program
  while (words.length > 0) {
    const next = command.commands.find((one) => one.name() === words[0])
    if (next === undefined) break
    command = next
    words.shift()
  }
  const flags = words.flatMap((word) => /^\[?(--[\w-]+)/.exec(word)?.[1] ?? [])
  const flag = flags.find((name) => name !== '--help' && !hasOption(command, name))
  if (flag !== undefined) return `"${command.name()}" has no option ${flag}`
  const [first = ''] = words
  return command.commands.length > 0 && /^[a-z]/.test(first) ? `"${command.name()}" has no command "${first}"` : undefined
}

const hasOption = (command: Command, name: string) => command.options.some(({ long }) => long === name)
