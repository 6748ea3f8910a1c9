import type { JsonObject } from '@heddle/core-api'
import { isJsonObject } from '@heddle/core-api/internal'
import type { SecretMask, SecretMaskStream } from '@heddle/outgoing'

/** Texts that a streamed completion brings in parts. */
const partedTexts: ReadonlySet<string> = new Set(['content', 'reasoning_content', 'reasoning', 'refusal', 'arguments'])

/** Masks secrets in the texts of a streamed completion, even if they are split across chunks. */
export interface DeltaMask {
  /** The chunk, without the ends of its texts that may begin a secret: these are sent with the next one. */
  chunk(chunk: JsonObject): JsonObject
  /** The rest, as a chunk; undefined if there is none. */
  rest(): JsonObject | undefined
}

export function createDeltaMask(secrets: SecretMask): DeltaMask {
  /** By the choice and the field of its text. */
  const streams = new Map<string, { stream: SecretMaskStream; choice: number }>()
  let last: JsonObject = {}

  function part(text: string, place: string, choice: number): string {
    // Bytes hold no half of a character.
    if (!text.isWellFormed()) return secrets.text(text)
    const known = streams.get(place) ?? { stream: secrets.stream(), choice }
    streams.set(place, known)
    return Buffer.from(known.stream.push(Buffer.from(text))).toString()
  }

  function masked(value: unknown, place: string, choice: number): unknown {
    if (Array.isArray(value)) return value.map((item, index) => masked(item, `${place}/${placeOf(item, index)}`, choice))
    if (!isJsonObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => {
        const isParted = typeof inner === 'string' && partedTexts.has(name)
        return [name, isParted ? part(inner, `${place}/${name}`, choice) : masked(inner, `${place}/${name}`, choice)]
      }),
    )
  }

  /** Ends the contents of a choice. Of arguments that end within a secret the rest is lost. */
  function endOf(choice: number): string {
    const ended = [...streams].filter(([, each]) => each.choice === choice)
    const texts = ended.map(([place, { stream }]) => {
      streams.delete(place)
      const text = Buffer.from(stream.end()).toString()
      return place.endsWith('/delta/content') ? text : ''
    })
    return texts.join('')
  }

  function withEnd(choice: unknown, index: number): unknown {
    if (!isJsonObject(choice)) return choice
    const number = Number(choice['index'] ?? index)
    const delta = masked(choice['delta'], `${number}/delta`, number)
    if (choice['finish_reason'] === null || choice['finish_reason'] === undefined)
      return { ...choice, ...(delta !== undefined && { delta }) }
    const end = endOf(number)
    if (end === '') return { ...choice, ...(delta !== undefined && { delta }) }
    const content = isJsonObject(delta) && typeof delta['content'] === 'string' ? delta['content'] : ''
    return { ...choice, delta: { ...(isJsonObject(delta) && delta), content: content + end } }
  }

  return {
    chunk(chunk) {
      if (!Array.isArray(chunk['choices'])) return chunk
      const { choices: _, ...others } = chunk
      last = others
      return { ...chunk, choices: chunk['choices'].map(withEnd) }
    },
    rest() {
      const open = [...new Set([...streams.values()].map(({ choice }) => choice))]
      const choices = open.map((index) => ({ index, delta: { content: endOf(index) } })).filter(({ delta }) => delta.content !== '')
      return choices.length === 0 ? undefined : { ...last, choices }
    },
  }
}

function placeOf(item: unknown, index: number): string {
  return isJsonObject(item) && item['index'] !== undefined ? String(Number(item['index'])) : String(index)
}
