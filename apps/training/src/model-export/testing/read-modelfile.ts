/** An instruction of a Modelfile, with its name in lower case; that of a parameter is its own name. */
export interface Instruction {
  name: string
  text: string
}

const isPrintable = (character: string) => /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character)

/** Reads a Modelfile character by character with the states of Ollama's parser. @throws Error for what that refuses */
export function readModelfile(file: string): Instruction[] {
  const read: Instruction[] = []
  let state: 'none' | 'comment' | 'name' | 'parameter' | 'value' = 'none'
  let name = ''
  let buffer = ''
  const finish = () => {
    const text = unquoted(buffer.trim())
    if (text === undefined) return false
    read.push({ name, text })
    buffer = ''
    state = 'none'
    return true
  }
  for (const character of file) {
    const isBreak = character === '\n' || character === '\r'
    const isSpace = character === ' ' || character === '\t'
    if (state === 'comment') state = isBreak ? 'none' : 'comment'
    else if (state === 'none') {
      if (character === '#') state = 'comment'
      else if (!isBreak && !isSpace) {
        state = 'name'
        buffer = character
      }
    } else if (state === 'name') {
      if (isSpace) {
        name = buffer.toLowerCase()
        if (!['from', 'system', 'template', 'parameter'].includes(name)) throw new Error(`unknown instruction ${buffer}`)
        state = name === 'parameter' ? 'parameter' : 'value'
        buffer = ''
      } else if (/^[a-z]$/i.test(character)) buffer += character
      else throw new Error(`unknown instruction ${buffer}${character}`)
    } else if (state === 'parameter') {
      if (isSpace) {
        name = buffer
        state = 'value'
        buffer = ''
      } else buffer += character
    } else if (isBreak) {
      if (!finish()) buffer += character
    } else if (isSpace || isPrintable(character)) buffer += character
  }
  if (state === 'value' && !finish()) throw new Error(`no end of ${buffer}`)
  return read
}

function unquoted(value: string): string | undefined {
  for (const quotes of ['"""', '"']) {
    if (!value.startsWith(quotes)) continue
    return value.length >= 2 * quotes.length && value.endsWith(quotes) ? value.slice(quotes.length, -quotes.length) : undefined
  }
  return value
}
