import { learnTemplate, type SpanTemplate, type ReferenceMapper } from './learn-template.ts'
import type { PlainSpan } from './plain-span.ts'

const maxWeight = 16 << 20
const maxGroupWeight = 4 << 20
/** Approximate size of an entry without its signature: one that only counts, and one with a template. */
const countWeight = 100
const templateWeight = 12_000

/** State of a signature: how often it was seen, its template, or that it has none. */
type Entry = number | SpanTemplate | undefined

/** Templates of the spans of one resource and scope. */
export interface TemplateGroup {
  entries: Map<string, Entry>
  weight: number
  /** Spans since the last template was learned. */
  spans: number
  /** Spans since the last plain one. */
  others: number
}

export interface TemplateCosts {
  /** Spans of a signature before the one from which a template is learned: rare signatures are not worth one. */
  sightings: number
  /** Spans of a group for each template that is learned, which takes about as long as mapping so many by the rules. */
  spansPerTemplate: number
}

/** Templates by the shared data of their spans. Least recently used ones are forgotten first. */
export class SpanTemplates {
  readonly #groups = new Map<string, TemplateGroup>()
  readonly #costs: TemplateCosts
  #weight = 0

  constructor(costs: TemplateCosts) {
    this.#costs = costs
  }

  /** About how many bytes all templates take. */
  get weight(): number {
    return this.#weight
  }

  /** The group of that key, which contains everything outside the span itself that its row depends on. */
  group(key: string): TemplateGroup {
    const known = this.#groups.get(key)
    const group = known ?? { entries: new Map(), weight: 0, spans: 0, others: 0 }
    this.#groups.delete(key)
    this.#groups.set(key, group)
    if (known === undefined) this.#grow(group, key.length)
    return group
  }

  /** The template for a span; undefined if there is none, or none yet. */
  find(group: TemplateGroup, span: PlainSpan, mapperOf: () => ReferenceMapper): SpanTemplate | undefined {
    const signature = span.signature()
    if (signature === undefined) return undefined
    group.spans += 1
    const entry = group.entries.has(signature) ? group.entries.get(signature) : 0
    if (typeof entry !== 'number') return entry
    if (entry >= this.#costs.sightings && group.spans >= this.#costs.spansPerTemplate)
      return this.#learn(group, signature, span, mapperOf())
    group.entries.set(signature, entry + 1)
    if (entry === 0) this.#grow(group, signature.length + countWeight)
    return undefined
  }

  #learn(group: TemplateGroup, signature: string, span: PlainSpan, mapper: ReferenceMapper): SpanTemplate | undefined {
    group.spans = 0
    const template = learnTemplate(span, mapper)
    group.entries.set(signature, template)
    if (template !== undefined) this.#grow(group, templateWeight)
    return template
  }

  #grow(group: TemplateGroup, weight: number): void {
    group.weight += weight
    this.#weight += weight
    if (group.weight > maxGroupWeight) this.#clear(group)
    for (const [key, oldest] of this.#groups) {
      if (this.#weight <= maxWeight || oldest === group) return
      this.#weight -= oldest.weight
      this.#groups.delete(key)
    }
  }

  #clear(group: TemplateGroup): void {
    group.entries.clear()
    this.#weight -= group.weight
    group.weight = 0
  }
}
