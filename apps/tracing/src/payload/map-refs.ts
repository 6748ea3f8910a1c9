import { isJsonObject, tooLarge } from '@heddle/core-api/internal'
import { mapJsonText, type TokenBudget } from '@heddle/json'

const maxDepth = 200
const maxTextsInTexts = 8
/** Tokens of all JSON texts within one value. */
const maxTokens = 2_000_000

export interface RefMapping {
  /** A string that begins with one of these is a reference. */
  schemes: readonly string[]
  /** Called for every reference, in order of occurrence; returns its replacement. */
  replace(ref: string): string
}

/**
 * Replaces the references in a JSON value: string values that begin with a scheme, also those inside texts that are JSON themselves, up to 8 levels.
 * Keys are ignored. Unchanged subtrees are shared with the given value, which is never mutated.
 * @throws 413 where the value is nested deeper than 200 levels, or its JSON texts have more than 2,000,000 tokens.
 */
export function mapRefs(value: unknown, mapping: RefMapping): unknown {
  return visit(value, { ...mapping, budget: { left: maxTokens } }, 0)
}

interface BudgetedMapping extends RefMapping {
  budget: TokenBudget
}

function visit(value: unknown, mapping: BudgetedMapping, depth: number): unknown {
  if (typeof value === 'string') return visitText(value, mapping, 0)
  if (Array.isArray(value)) return visitList(value, mapping, depthBelow(depth))
  return isJsonObject(value) ? visitObject(value, mapping, depthBelow(depth)) : value
}

function depthBelow(depth: number): number {
  if (depth >= maxDepth) throw tooLarge()
  return depth + 1
}

function visitList(list: unknown[], mapping: BudgetedMapping, depth: number): unknown[] {
  let copy: unknown[] | undefined
  list.forEach((element, index) => {
    const mapped = visit(element, mapping, depth)
    if (mapped === element) return
    copy ??= [...list]
    copy[index] = mapped
  })
  return copy ?? list
}

function visitObject(object: Record<string, unknown>, mapping: BudgetedMapping, depth: number): Record<string, unknown> {
  let changed = false
  const entries = Object.keys(object).map((key): [string, unknown] => {
    const mapped = visit(object[key], mapping, depth)
    changed ||= mapped !== object[key]
    return [key, mapped]
  })
  return changed ? Object.fromEntries(entries) : object
}

function visitText(text: string, mapping: BudgetedMapping, level: number): string {
  const { schemes } = mapping
  if (schemes.some((scheme) => text.startsWith(scheme))) return mapping.replace(text)
  const mayHoldRefs = level < maxTextsInTexts && /^\s*[{["]/.test(text) && schemes.some((scheme) => text.includes(scheme))
  return mayHoldRefs ? mapJsonText(text, (inner) => visitText(inner, mapping, level + 1), mapping.budget) : text
}
