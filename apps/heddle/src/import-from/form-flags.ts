import { type Encoding, encodings, type Separator } from '@heddle/text-files'
import { UsageError } from '../terminal/usage-error.ts'
import type { ChosenForm } from './source-text.ts'

/** How the user says in which encoding and with which separator files are read. */
export interface FormFlags {
  encoding?: string | undefined
  separator?: string | undefined
}

/** A shell takes some separators for its own, so they have names. */
const separatorNames: Record<string, Separator> = { comma: ',', semicolon: ';', tab: '\t', bar: '|', none: 'none' }

/** @throws UsageError for a name that is not known */
export function toChosenForm({ encoding, separator }: FormFlags): ChosenForm {
  return {
    ...(encoding !== undefined && { encoding: parseEncoding(encoding) }),
    ...(separator !== undefined && { separator: parseSeparator(separator) }),
  }
}

function parseEncoding(name: string): Encoding {
  const encoding = encodings.find((one) => one === name.toLowerCase())
  if (encoding === undefined) throw new UsageError(`--encoding must be one of ${encodings.join(', ')}, got ${JSON.stringify(name)}`)
  return encoding
}

function parseSeparator(name: string): Separator {
  const known = Object.entries(separatorNames).find(([word, sign]) => name === word || name === sign)
  if (known === undefined)
    throw new UsageError(`--separator must be one of ${Object.keys(separatorNames).join(', ')}, got ${JSON.stringify(name)}`)
  return known[1]
}
