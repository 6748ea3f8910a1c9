import {
  context,
  createContextKey,
  propagation,
  type Attributes,
  type AttributeValue,
  type BaggageEntry,
  type Context,
} from '@opentelemetry/api'
import { spanAttribute, trajectoryAttribute } from '@heddle/core-api/attributes'

/** What groups spans: values for every span that is started inside. */
export interface SpanGroup {
  /** Conversation across traces. */
  threadId?: string | undefined
  sessionId?: string | undefined
  userId?: string | undefined
  tags?: readonly string[] | undefined
  environment?: string | undefined
  release?: string | undefined
  /** Collection of training data, group of attempts at one task, attempt, and its index in the group. */
  rolloutId?: string | undefined
  groupId?: string | undefined
  trajectoryId?: string | undefined
  attemptIndex?: number | undefined
}

/** Attributes under which each value is written; Heddle reads the first, other backends read the rest. */
const attributesOf: Readonly<Record<keyof SpanGroup, readonly string[]>> = {
  threadId: [spanAttribute.threadId, 'gen_ai.conversation.id'],
  sessionId: ['session.id'],
  userId: ['user.id'],
  tags: ['heddle.tags'],
  environment: ['deployment.environment.name'],
  release: ['service.version'],
  rolloutId: [trajectoryAttribute.rolloutId],
  groupId: [trajectoryAttribute.groupId],
  trajectoryId: [trajectoryAttribute.trajectoryId],
  attemptIndex: [trajectoryAttribute.attemptIndex],
}

const names = Object.keys(attributesOf) as (keyof SpanGroup)[]
const baggagePrefix = 'heddle.'
const baggageNames = new Map(names.map((name) => [baggagePrefix + name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), name]))

// Keys of the API are shared by all copies of this package that share the API, ESM and CommonJS.
const groupKey = createContextKey('heddle span group')
const contentKey = createContextKey('heddle without content')

/** Runs `fn`; every span started in it, including asynchronous continuations, carries the values. Inner values win over outer ones. */
export function withSpanGroup<T>(group: SpanGroup, fn: () => T): T {
  return context.with(setSpanGroup(context.active(), group), fn)
}

/** Runs `fn` in a thread: a conversation that may span several traces. */
export function withThread<T>(threadId: string, fn: () => T): T {
  return withSpanGroup({ threadId }, fn)
}

/** Runs `fn`; spans started in it are sent without prompts, completions or other content. */
export function withoutContent<T>(fn: () => T): T {
  return context.with(context.active().setValue(contentKey, true), fn)
}

function setSpanGroup(parent: Context, group: SpanGroup): Context {
  return parent.setValue(groupKey, { ...(parent.getValue(groupKey) as SpanGroup | undefined), ...group })
}

/**
 * The active context with its values as baggage, which travels with requests to other services. Use it for requests to your own services: baggage is
 * sent to every host that is called inside.
 */
export function withGroupBaggage<T>(fn: () => T): T {
  const group = context.active().getValue(groupKey) as SpanGroup | undefined
  let baggage = propagation.getActiveBaggage() ?? propagation.createBaggage()
  for (const [key, name] of baggageNames) {
    const value = group?.[name]
    if (value !== undefined) baggage = baggage.setEntry(key, { value: Array.isArray(value) ? JSON.stringify(value) : String(value) })
  }
  return context.with(propagation.setBaggage(context.active(), baggage), fn)
}

export function isWithoutContent(parent: Context): boolean {
  return parent.getValue(contentKey) === true
}

/** Attributes for a span that starts in a context. Undefined if there are none, which is the usual case. */
export function findGroupAttributes(parent: Context): Attributes | undefined {
  const own = parent.getValue(groupKey) as SpanGroup | undefined
  const baggage = propagation.getBaggage(parent)
  if (own === undefined && baggage === undefined) return undefined
  const attributes: Attributes = {}
  for (const [key, entry] of baggage?.getAllEntries() ?? []) {
    const name = baggageNames.get(key)
    if (name !== undefined) write(attributes, name, fromBaggage(name, entry))
  }
  for (const name of names) {
    const value = own?.[name]
    if (value !== undefined) write(attributes, name, typeof value === 'object' ? [...value] : value)
  }
  return attributes
}

/** Whether a span belongs to an attempt of which training data is made. */
export function isPartOfTrajectory(attributes: Attributes): boolean {
  return attributes[trajectoryAttribute.trajectoryId] !== undefined
}

function write(attributes: Attributes, name: keyof SpanGroup, value: AttributeValue | undefined): void {
  if (value !== undefined) for (const attribute of attributesOf[name]) attributes[attribute] = value
}

/** Undefined if the value lacks the form of its name: baggage may have any origin. */
function fromBaggage(name: keyof SpanGroup, { value }: BaggageEntry): AttributeValue | undefined {
  if (name === 'attemptIndex') return /^\d{1,9}$/.test(value) ? Number(value) : undefined
  return name === 'tags' ? parseTags(value) : value
}

function parseTags(value: string): string[] | undefined {
  try {
    const tags: unknown = JSON.parse(value)
    return Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : undefined
  } catch {
    return undefined
  }
}
