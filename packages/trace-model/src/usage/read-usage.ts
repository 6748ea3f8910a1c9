import { memberOf, numberText } from '@heddle/core-api/internal'
import { normalizeCounts, type WholeCounts } from './normalize-counts.ts'
import { toServiceTier } from './service-tier.ts'
import { fitParts, noTokens, type TokenCounts } from './token-counts.ts'

/** The usage of one model. */
export interface ModelCounts {
  model: string
  counts: TokenCounts
  /** The tier of service that was used, as `toServiceTier` has it; absent for the plain one. */
  serviceTier?: string
  /** Size of the prompt of a single request, which decides which prices apply. Absent if the usage is, or may be, a sum over several requests. */
  requestTokens?: number
}

/** Data of a call outside its summary. */
export interface UsedIn {
  /** The call is one request to a model, if its usage does not have the number of requests. */
  isRequest: boolean
  /** A word for the tier of service, where the usage itself names none. */
  serviceTier: string
}

const unknownCall: UsedIn = { isRequest: false, serviceTier: '' }

/** Names of cached tokens of one kind. */
const cachedOf = (kind: string): string[] => [
  `cache_read_input_${kind}_tokens`,
  ...['prompt_tokens', 'input_tokens', 'input_token'].map((side) => `${side}_details.cached_tokens_details.${kind}_tokens`),
]

/**
 * Names of each count. Tracing clients pass on usage as a provider or framework has it: OpenAI (chat and responses), Anthropic, Google and Bedrock (in
 * both spellings), LiteLLM, LangChain, pydantic-ai and AI SDK 4 to 7; spans are stored under the first ones. The names of one count mean the same tokens.
 */
const names = {
  input: ['prompt_tokens', 'input_tokens', 'prompt_token_count', 'promptTokenCount', 'inputTokens', 'promptTokens'],
  output: ['completion_tokens', 'output_tokens', 'candidates_token_count', 'candidatesTokenCount', 'outputTokens', 'completionTokens'],
  total: ['total_tokens', 'total_token_count', 'totalTokenCount', 'totalTokens'],
  cacheRead: [
    'cache_read_input_tokens',
    'prompt_tokens_details.cached_tokens',
    'input_tokens_details.cached_tokens',
    'prompt_cache_hit_tokens',
    'cached_content_token_count',
    'cachedContentTokenCount',
    'cacheReadInputTokens',
    'cache_read_tokens',
    'cachedInputTokens',
    'inputTokenDetails.cacheReadTokens',
    'input_token_details.cache_read',
    'input_token_details.cached_tokens',
  ],
  cacheReadAudio: cachedOf('audio'),
  cacheReadImage: cachedOf('image'),
  cacheWrite: [
    'cache_creation_input_tokens',
    'prompt_tokens_details.cache_write_tokens',
    'prompt_tokens_details.cache_creation_tokens',
    'cacheWriteInputTokens',
    'cache_write_tokens',
    'inputTokenDetails.cacheWriteTokens',
    'input_token_details.cache_creation',
  ],
  cacheWrite5m: ['cache_creation.ephemeral_5m_input_tokens', 'input_token_details.ephemeral_5m_input_tokens'],
  cacheWrite1h: [
    'cache_creation_1h_input_tokens',
    'cache_creation.ephemeral_1h_input_tokens',
    'input_token_details.ephemeral_1h_input_tokens',
  ],
  reasoning: [
    'reasoning_tokens',
    'completion_tokens_details.reasoning_tokens',
    'output_tokens_details.reasoning_tokens',
    'thoughts_token_count',
    'thoughtsTokenCount',
    'output_token_details.reasoning',
    'details.reasoning_tokens',
    'reasoningTokens',
    'outputTokenDetails.reasoningTokens',
  ],
  inputAudio: [
    'input_audio_tokens',
    'prompt_tokens_details.audio_tokens',
    'input_tokens_details.audio_tokens',
    'input_token_details.audio_tokens',
    'input_token_details.audio',
  ],
  inputImage: [
    'input_image_tokens',
    'prompt_tokens_details.image_tokens',
    'input_tokens_details.image_tokens',
    'input_token_details.image_tokens',
  ],
  outputAudio: [
    'output_audio_tokens',
    'completion_tokens_details.audio_tokens',
    'output_tokens_details.audio_tokens',
    'output_token_details.audio_tokens',
    'output_token_details.audio',
  ],
  outputImage: [
    'output_image_tokens',
    'completion_tokens_details.image_tokens',
    'output_tokens_details.image_tokens',
    'output_token_details.image_tokens',
  ],
} as const satisfies Record<string, readonly string[]>

/** Where Google lists tokens by modality. */
const modalities = {
  input: ['prompt_tokens_details', 'promptTokensDetails'],
  cacheRead: ['cache_tokens_details', 'cacheTokensDetails'],
  output: ['candidates_tokens_details', 'candidatesTokensDetails'],
} as const

/** Where usage names the tier of service: Anthropic and spans as they are stored, AI SDKs, Google. */
const tierNames = ['service_tier', 'serviceTier', 'traffic_type', 'trafficType']

/** The usage in the summary of a call, by model and normalized, in its order. Models without a count are omitted. */
export function readUsage(summary: unknown, usedIn: UsedIn = unknownCall): ModelCounts[] {
  const usage = memberOf(summary, 'usage')
  if (typeof usage !== 'object' || usage === null) return []
  return Object.entries(usage).flatMap(([model, entry]) => {
    const counts = readCounts(entry)
    return counts === undefined ? [] : [{ model, counts, ...fareOf(entry, counts, usedIn) }]
  })
}

/** Facts other than the counts that determine the price. A client that adds up calls in their parent adds up the number of requests too. */
function fareOf(entry: unknown, { input }: TokenCounts, usedIn: UsedIn): Pick<ModelCounts, 'serviceTier' | 'requestTokens'> {
  const requests = countAt(entry, 'requests')
  const isRequest = requests === undefined ? usedIn.isRequest : requests === 1
  const own = tierNames.map((name) => memberOf(entry, name)).find((word) => typeof word === 'string')
  const serviceTier = toServiceTier(own ?? usedIn.serviceTier)
  return { ...(serviceTier !== '' && { serviceTier }), ...(isRequest && { requestTokens: input }) }
}

type CountName = keyof typeof names

/** A count that a member of usage may hold, with the path from the member to it. */
interface HeldCount {
  name: CountName
  rest: readonly string[]
}

/** The counts by the first parts of their names: usage has few members, and there are many names. */
const countsByMember: ReadonlyMap<string, readonly HeldCount[]> = groupByMember()

function groupByMember(): Map<string, HeldCount[]> {
  const groups = new Map<string, HeldCount[]>()
  for (const name of Object.keys(names) as CountName[]) {
    for (const [first = '', ...rest] of names[name].map((path) => path.split('.')))
      groups.set(first, [...(groups.get(first) ?? []), { name, rest }])
  }
  return groups
}

/** The largest value of each count under any of its names; absent for one without a value. */
function countsIn(entry: unknown): Partial<Record<CountName, number>> {
  const found: Partial<Record<CountName, number>> = {}
  if (typeof entry !== 'object' || entry === null) return found
  for (const member of Object.keys(entry)) {
    for (const { name, rest } of countsByMember.get(member) ?? []) {
      const count = toCount(rest.reduce<unknown>(memberOf, memberOf(entry, member)))
      if (count !== undefined) found[name] = Math.max(found[name] ?? count, count)
    }
  }
  return found
}

function readCounts(entry: unknown): TokenCounts | undefined {
  const cost = costAt(entry)
  const found = countsIn(entry)
  const { input, output, total } = found
  const countOf = (name: CountName) => found[name] ?? 0
  const [cacheRead, reasoning, cacheWrite1h] = [countOf('cacheRead'), countOf('reasoning'), countOf('cacheWrite1h')]
  const cacheWrite = Math.max(countOf('cacheWrite'), countOf('cacheWrite5m') + cacheWrite1h)
  if (input === undefined && output === undefined && total === undefined && cacheRead + cacheWrite + reasoning === 0 && !cost)
    return undefined
  const costs = { reportedCosts: cost === undefined ? 0 : 1, reportedNanos: Math.round((cost ?? 0) * 1e9) }
  if (!mayHaveParts(entry, found)) return { ...noTokens, ...wholesOf(found), ...costs }
  const inputApart = isInputSeparate(entry) ? cacheRead + cacheWrite : 0
  const outputApart = isOutputSeparate(entry) ? reasoning : 0
  const parts = { input: (input ?? 0) + inputApart, output: (output ?? 0) + outputApart }
  const counts = normalizeCounts({ ...parts, cacheRead, cacheWrite, reasoning, total: total ?? null })
  const kindOf = (name: CountName, side: keyof typeof modalities, modality: string) =>
    Math.max(countOf(name), modalityOf(entry, modalities[side], modality))
  const cacheReadAudio = kindOf('cacheReadAudio', 'cacheRead', 'AUDIO')
  const cacheReadImage = kindOf('cacheReadImage', 'cacheRead', 'IMAGE')
  return fitParts({
    ...counts,
    cacheReadAudio,
    cacheReadImage,
    cacheWrite1h,
    inputAudio: freshOf(kindOf('inputAudio', 'input', 'AUDIO'), cacheReadAudio),
    inputImage: freshOf(kindOf('inputImage', 'input', 'IMAGE'), cacheReadImage),
    outputAudio: kindOf('outputAudio', 'output', 'AUDIO'),
    outputImage: kindOf('outputImage', 'output', 'IMAGE'),
    ...costs,
  })
}

/** Whether usage may count parts of its input or output. Most usage has neither such a count nor a member that could hold one. */
function mayHaveParts(entry: unknown, found: Partial<Record<CountName, number>>): boolean {
  for (const name in found) if (name !== 'input' && name !== 'output' && name !== 'total') return true
  for (const member of Object.values(entry ?? {})) if (typeof member === 'object' && member !== null) return true
  return false
}

function wholesOf({ input = 0, output = 0, total = null }: { input?: number; output?: number; total?: number | null }): WholeCounts {
  return normalizeCounts({ input, output, cacheRead: 0, cacheWrite: 0, reasoning: 0, total })
}

/** Uncached audio or images, whose count includes cached ones, unless these are more. */
const freshOf = (all: number, cached: number) => (all >= cached ? all - cached : all)

/** Tokens of one modality in a list of `{ modality, tokenCount }`; 0 if there is no such list. */
function modalityOf(entry: unknown, paths: readonly string[], modality: string): number {
  const list = paths.map((path) => memberOf(entry, path)).find((value) => Array.isArray(value)) as readonly unknown[] | undefined
  const found = list?.slice(0, maxModalities).find((item) => memberOf(item, 'modality') === modality)
  if (found === undefined) return 0
  const counts = ['token_count', 'tokenCount'].map((name) => countAt(found, name)).filter((count) => count !== undefined)
  return counts.length === 0 ? 0 : Math.max(...counts)
}

/** Providers have five. */
const maxModalities = 20

/**
 * Whether counts are those of a provider whose input excludes cached tokens by definition: Anthropic's usage has these names for them, no total, and no
 * details of the input; Bedrock's names are its own. Spans, whose conventions have inclusive counts under the same names, are stored with a total.
 */
function isInputSeparate(entry: unknown): boolean {
  const has = (name: string) => countAt(entry, name) !== undefined
  if (has('inputTokens')) return has('cacheReadInputTokens') || has('cacheWriteInputTokens')
  const isObjectAt = (name: string) => typeof memberOf(entry, name) === 'object' && memberOf(entry, name) !== null
  const isCached = has('cache_read_input_tokens') || has('cache_creation_input_tokens') || isObjectAt('cache_creation')
  return isCached && has('input_tokens') && !has('prompt_tokens') && !has('total_tokens') && !isObjectAt('input_tokens_details')
}

/** Whether the output excludes reasoning by definition: Google counts candidates and thoughts separately. */
function isOutputSeparate(entry: unknown): boolean {
  return countAt(entry, 'candidates_token_count') !== undefined || countAt(entry, 'candidatesTokenCount') !== undefined
}

/** The cost that the call reports, under the name used by spans and gateways. */
function costAt(entry: unknown): number | undefined {
  const text = numberText(memberOf(entry, 'cost'))
  const cost = text === undefined ? Number.NaN : Number(text)
  return cost >= 0 && cost <= largestCost ? cost : undefined
}

/** Larger than the cost of any single call. */
const largestCost = 1_000_000

const countAt = (entry: unknown, name: string) => toCount(memberOf(entry, name))

/** Fractions are cut off; values that are not numbers, or too large, count nothing. */
function toCount(value: unknown): number | undefined {
  const count = Math.trunc(numberOf(value))
  return Math.abs(count) <= largestCount ? count : undefined
}

/** Larger than the count of any single call. Sums of several are still exact, as stores need them. */
const largestCount = 1e15

function numberOf(value: unknown): number {
  // Without a minus before 0.
  if (typeof value === 'number') return value === 0 ? 0 : value
  const text = value === undefined ? undefined : numberText(value)
  return text === undefined ? Number.NaN : Number(text)
}
