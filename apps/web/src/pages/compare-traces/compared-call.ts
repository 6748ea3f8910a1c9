import type { CallStatus, CostSource } from '@heddle/trace-model'
import type { AlignableCall, AlignedPair } from './align-traces.ts'

/** A call as a comparison keeps it. */
export interface ComparedCall extends AlignableCall {
  status: CallStatus
  latencyMs: number | null
  tokens: number | null
  cost: number | null
  costSource: CostSource
  /** Hashes of inputs and output. */
  inputs: number
  output: number
}

export type ComparedPair = AlignedPair<ComparedCall>

/** In which way the calls of a pair differ, in words. Empty where they do not; times always do. */
export function differencesOf({ a, b }: ComparedPair): string[] {
  if (!a || !b) return [a ? 'only in A' : 'only in B']
  return [
    ...(a.name === b.name ? [] : ['name']),
    ...(a.status === b.status ? [] : ['status']),
    ...(a.inputs === b.inputs ? [] : ['input']),
    ...(a.output === b.output ? [] : ['output']),
  ]
}

/** The pair in an address. */
export const pairId = ({ a, b }: ComparedPair) => `${a?.id ?? '-'},${b?.id ?? '-'}`

/** Both numbers, with a dash for an unknown one. Empty if both are unknown. */
export function changeText(before: number | null | undefined, after: number | null | undefined, format: (value: number) => string): string {
  const [one, other] = [before, after].map((value) => (value === null || value === undefined ? '–' : format(value)))
  return one === '–' && other === '–' ? '' : `${one} → ${other}`
}

/** What changed from one number to the other, with its sign. Empty where one of them is not known. */
export function deltaText(before: number | null | undefined, after: number | null | undefined, format: (value: number) => string): string {
  if (before === null || before === undefined || after === null || after === undefined) return ''
  const delta = after - before
  if (delta === 0) return '= 0'
  return delta > 0 ? `▲ +${format(delta)}` : `▼ −${format(-delta)}`
}

/** Where the costs of a pair are from that are not at the prices of the names of their models. */
export function costSourceOf({ a, b }: ComparedPair): CostSource {
  const sources = [a, b].flatMap((call) => call?.costSource ?? [])
  return {
    pricedAs: [...new Set(sources.flatMap(({ pricedAs }) => pricedAs))].sort(),
    reported: sources.reduce((sum, { reported }) => sum + reported, 0),
  }
}
