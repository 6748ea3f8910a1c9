import type { ContentCapture } from '../processing/content.ts'
import { maskPatternNames, type MaskPattern } from '../processing/mask-patterns.ts'
import type { SelectionSettings } from '../processing/span-selection.ts'
import type { Mask } from '../processing/span-mask.ts'
import { readEnvironment } from './environment.ts'
import type { ExporterOptions } from './exporter-options.ts'
import { createVariables } from './read-variables.ts'
import type { ReadableSpan, SpanProcessor } from '../spans/readable-span.ts'

export interface ProcessorOptions extends ExporterOptions {
  /** `llm` keeps spans about models, agents and tools with all their ancestors. `HEDDLE_SPANS`; `all` unless set. */
  spans?: 'llm' | 'all' | ((span: ReadableSpan) => boolean) | undefined
  /** Masks for data that must not be sent. `HEDDLE_MASK` takes names of patterns, separated by commas; nothing is masked unless set. */
  mask?: Mask | readonly Mask[] | undefined
  /** How much of prompts and completions is sent. `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=false` means `none`; `full` unless set. */
  captureContent?: ContentCapture | undefined
  /**
   * Part of the traces that is sent, from 0 to 1, chosen by trace id. Failed spans and those with a trajectory or a reward are sent in any case,
   * with their ancestors. `HEDDLE_SAMPLE`; 1 unless set.
   */
  sample?: number | undefined
  /** Receives spans after filter and mask, instead of Heddle directly. */
  processor?: SpanProcessor | undefined
  /** Called with a promise whenever a trace of this process ends, for platforms that suspend the program after its response. */
  waitUntil?: ((flushed: Promise<unknown>) => void) | undefined
}

export interface ProcessorSettings extends SelectionSettings {
  masks: readonly Mask[]
  captureContent: ContentCapture
  disabled: boolean
  /** The SDK's limit on the length of values, where it is so short that it breaks JSON. */
  harmfulLengthLimit: number | undefined
}

/** Below this many characters messages are usually truncated. */
const harmlessLengthLimit = 8192

/** Resolves every setting that is not about sending. Never throws. */
export function toProcessorSettings(options: ProcessorOptions, warn: (message: string) => void): ProcessorSettings {
  const variables = createVariables(options.environment ?? readEnvironment(), warn)
  const masks = options.mask ?? parseMasks(variables.text('HEDDLE_MASK'), warn)
  const lengthLimit = variables.count(1, 'OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT', 'OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT')
  return {
    spans: options.spans ?? variables.oneOf(['llm', 'all'], 'HEDDLE_SPANS') ?? 'all',
    masks: isList(masks) ? masks : [masks],
    captureContent: options.captureContent ?? parseCapture(variables.text('OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT')),
    sample: options.sample ?? variables.rate('HEDDLE_SAMPLE') ?? 1,
    disabled: options.disabled ?? variables.flag('HEDDLE_DISABLED') ?? false,
    harmfulLengthLimit: lengthLimit !== undefined && lengthLimit < harmlessLengthLimit ? lengthLimit : undefined,
  }
}

function isList(masks: Mask | readonly Mask[]): masks is readonly Mask[] {
  return Array.isArray(masks)
}

/** An unknown name masks with all patterns, to be safe. */
function parseMasks(value: string | undefined, warn: (message: string) => void): readonly MaskPattern[] {
  const names = value?.split(',').map((name) => name.trim().toLowerCase()) ?? ['none']
  const [only, ...others] = names
  if (others.length === 0 && only === 'none') return []
  if (others.length === 0 && only === 'all') return maskPatternNames
  const known = maskPatternNames.filter((name) => names.includes(name))
  if (names.every((name) => known.some((other) => other === name))) return known
  warn(`HEDDLE_MASK must list ${maskPatternNames.join(', ')}, "all" or "none"; masking everything`)
  return maskPatternNames
}

/** Instrumentations accept further values, which all enable content. */
function parseCapture(value: string | undefined): ContentCapture {
  return value !== undefined && ['false', '0', 'no_content'].includes(value.toLowerCase()) ? 'none' : 'full'
}
