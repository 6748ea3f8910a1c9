import { fromKeys } from './jinja/members.ts'
import { assertMemberName } from './jinja/render.ts'
import {
  Callable,
  type CallArguments,
  Dict,
  elementsOf,
  Generator,
  iterate,
  Namespace,
  Range,
  Tuple,
  type Value,
  WithAttributes,
} from './python/values.ts'
import { textOf } from './python/text-of.ts'
import { formatTime } from './python/format-time.ts'
import { assertElements } from './template-limits.ts'
import { ChatTemplateError } from './tokenizer-error.ts'

/** Globals of chat templates in addition to their variables, as the Transformers library defines them. */
export function templateGlobals(now: () => Date): Record<string, Value> {
  return {
    range: new Callable('range', range),
    dict: new WithAttributes('dict', (name) => (name === 'fromkeys' ? new Callable(name, fromKeys) : undefined), toDict),
    namespace: new Callable('namespace', namespace),
    cycler: new Callable('cycler', cycler),
    joiner: new Callable('joiner', joiner),
    raise_exception: new Callable('raise_exception', ({ placed: [message = null] }) => {
      throw new ChatTemplateError(`the chat template refuses these messages: ${textOf(message)}`)
    }),
    strftime_now: new Callable('strftime_now', ({ placed: [format = ''] }) => formatTime(now(), textOf(format))),
  }
}

function range({ placed }: CallArguments): Range {
  const bounds = placed.map((bound) => {
    if (typeof bound === 'bigint' || typeof bound === 'boolean') return BigInt(bound)
    throw new TypeError('range() takes whole numbers')
  })
  if (bounds.length === 0 || bounds.length > 3) throw new TypeError(`range expected 1 to 3 arguments, got ${bounds.length}`)
  const [start, stop, step] = bounds.length === 1 ? [0n, bounds[0]!, 1n] : [bounds[0]!, bounds[1]!, bounds[2] ?? 1n]
  if (step === 0n) throw new TypeError('range() arg 3 must not be zero')
  const made = new Range({ start, stop, step })
  assertElements(made.length)
  return made
}

function toDict({ placed: [given], named }: CallArguments): Dict {
  const made = given instanceof Dict ? new Dict(given.entries()) : new Dict(given === undefined ? [] : Array.from(iterate(given), pairOf))
  for (const [key, value] of named) made.set(key, value)
  return made
}

function pairOf(value: Value): readonly [Value, Value] {
  const items = value instanceof Generator ? null : elementsOf(value)
  const [key, each, ...others] = items ?? []
  if (key === undefined || each === undefined || others.length > 0) throw new TypeError('dict() needs pairs')
  return [key, each]
}

function namespace(given: CallArguments): Namespace {
  const values = toDict(given)
  for (const name of values.keys()) assertMemberName(name)
  return new Namespace(values)
}

function cycler({ placed: items }: CallArguments): WithAttributes {
  if (items.length === 0) throw new TypeError('at least one item has to be provided')
  let at = 0
  return new WithAttributes('<Cycler>', (name) => {
    switch (name) {
      case 'items':
        return new Tuple(items)
      case 'current':
        return items[at]
      case 'next':
        return new Callable(name, () => {
          const item = items[at]!
          at = (at + 1) % items.length
          return item
        })
      case 'reset':
        return new Callable(name, () => {
          at = 0
          return null
        })
      default:
        return undefined
    }
  })
}

/** Empty the first time, and then the separator. */
function joiner({ placed: [between = ', '] }: CallArguments): Callable {
  let isUsed = false
  return new Callable('joiner', () => {
    const written = isUsed ? textOf(between) : ''
    isUsed = true
    return written
  })
}
