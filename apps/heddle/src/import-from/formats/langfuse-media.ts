import { isJsonObject } from '@heddle/core-api/internal'
import { isJsonNumber } from '@heddle/json'
import { parsed } from '../foreign-fields.ts'
import type { ForeignFormat, Json, JsonObject } from '../foreign-item.ts'

/** How a value refers to a file: https://langfuse.com/docs/observability/features/multi-modality. */
const reference = /@@@langfuseMedia:type=([^|@]*)\|id=([^|@]+)\|source=[^|@]*@@@/g

/** The server names content after the first 132 bits of its SHA-256, in base64 for URLs: langfuse/langfuse: web/src/features/media. */
const idLength = 22

export interface LangfuseMedia extends NonNullable<ForeignFormat['media']> {
  /** Notes the references in a record. */
  survey(record: JsonObject): void
  /** The value with each text that is a reference to a known file replaced, also within a text that is JSON. The value itself without any. */
  resolve(value: Json): Json
}

export function createLangfuseMedia(): LangfuseMedia {
  const types = new Map<string, string>()
  let known: ReadonlyMap<string, JsonObject> = new Map()

  function survey(value: Json): void {
    if (typeof value === 'string') for (const [, type = '', id = ''] of value.matchAll(reference)) types.set(id, type)
    else if (Array.isArray(value)) value.forEach(survey)
    else if (isJsonObject(value) && !isJsonNumber(value)) Object.values(value).forEach(survey)
  }

  function replace(value: Json): Json {
    if (typeof value === 'string') {
      const [only] = value.matchAll(reference)
      return (only?.[0] === value ? known.get(only[2] ?? '') : undefined) ?? value
    }
    if (Array.isArray(value)) return value.map(replace)
    if (!isJsonObject(value) || isJsonNumber(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replace(member)]))
  }

  return {
    survey,
    types,
    isId: (text) => text.length === idLength && /^[\w-]+$/.test(text),
    idOf: (sha256) => Buffer.from(sha256, 'hex').toString('base64url').slice(0, idLength),
    use: (values) => void (known = values),
    resolve: (value) =>
      known.size === 0 ? value : typeof value === 'string' && !value.includes('@@@langfuseMedia:') ? value : replace(parsed(value)),
  }
}
