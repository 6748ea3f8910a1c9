import type { Environment } from './environment.ts'

/** Reads variables; an invalid value is reported with the name of its variable, and then counts as not set. */
export interface Variables {
  text(...names: string[]): string | undefined
  /** A whole number of at least `min`. */
  count(min: number, ...names: string[]): number | undefined
  /** A number from 0 to 1. */
  rate(...names: string[]): number | undefined
  flag(...names: string[]): boolean | undefined
  oneOf<const T extends string>(allowed: readonly T[], ...names: string[]): T | undefined
  /** An absolute address of HTTP. */
  url(...names: string[]): string | undefined
  /** `k=v,k2=v2` with percent-encoded values. */
  pairs(...names: string[]): Record<string, string> | undefined
}

/** Of several names the first that is set and fits wins. Values are not repeated in messages where they may be secret. */
export function createVariables(environment: Environment, warn: (message: string) => void): Variables {
  function find<T>(names: readonly string[], allowed: string, parse: (value: string) => T | undefined): T | undefined {
    for (const name of names) {
      const value = environment[name]?.trim()
      if (!value) continue
      const parsed = parse(value)
      if (parsed !== undefined) return parsed
      warn(`${name} must be ${allowed}; ignoring it`)
    }
    return undefined
  }
  return {
    text: (...names) => find(names, 'a text', (value) => value),
    count: (min, ...names) =>
      find(names, `an integer of at least ${min}`, (value) => {
        return /^\d{1,15}$/.test(value) && Number(value) >= min ? Number(value) : undefined
      }),
    rate: (...names) =>
      find(names, 'a number from 0 to 1', (value) => (Number(value) >= 0 && Number(value) <= 1 ? Number(value) : undefined)),
    flag: (...names) => find(names, '"true" or "false"', (value) => ({ true: true, 1: true, false: false, 0: false })[value.toLowerCase()]),
    oneOf: (allowed, ...names) => {
      const described = `one of ${allowed.map((value) => `"${value}"`).join(', ')}`
      return find(names, described, (value) => allowed.find((word) => word === value.toLowerCase()))
    },
    url: (...names) => find(names, 'a URL that starts with http:// or https://', parseUrl),
    pairs: (...names) => find(names, 'a list such as "key=value,key2=value2" with percent-encoded values', parsePairs),
  }
}

function parseUrl(value: string): string | undefined {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) ? value : undefined
}

/** Undefined when a part is not a pair, or a name or value is not valid in a header. */
function parsePairs(value: string): Record<string, string> | undefined {
  const pairs: [string, string][] = []
  for (const part of value.split(',').filter((part) => part.trim() !== '')) {
    const at = part.indexOf('=')
    const key = decode(part.slice(0, Math.max(at, 0)).trim())
    const text = decode(part.slice(at + 1).trim())
    if (key === undefined || text === undefined || !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(key) || /[^\t\x20-\x7e\x80-\xff]/.test(text))
      return undefined
    pairs.push([key.toLowerCase(), text])
  }
  return Object.fromEntries(pairs)
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
