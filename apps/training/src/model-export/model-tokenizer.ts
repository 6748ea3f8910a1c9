import { z } from 'zod'
import { findChatTemplate } from '../tokenizer/find-chat-template.ts'
import { loadTokenizer } from '../tokenizer/load-tokenizer.ts'
import { readModelJson } from '../tokenizer/model-files.ts'
import type { ChatTokenizer } from '../tokenizer/chat-tokenizer.ts'
import { ModelFileError } from '../checkpoint-files/model-file-error.ts'

interface PreTokenizerFields {
  type: string
  use_regex?: boolean | undefined
  add_prefix_space?: boolean | undefined
  individual_digits?: boolean | undefined
  behavior?: string | undefined
  invert?: boolean | undefined
  pattern?: { Regex?: string | undefined } | undefined
}
export type PreTokenizer = PreTokenizerFields & { pretokenizers?: PreTokenizer[] | undefined }

const PreTokenizer: z.ZodType<PreTokenizer> = z.looseObject({
  type: z.string(),
  use_regex: z.boolean().optional(),
  add_prefix_space: z.boolean().optional(),
  individual_digits: z.boolean().optional(),
  behavior: z.string().optional(),
  invert: z.boolean().optional(),
  pattern: z.looseObject({ Regex: z.string().optional() }).optional(),
  get pretokenizers() {
    return z.array(PreTokenizer).optional()
  },
})

/** What is done to a text first. */
export type Normalizer = { type: string; normalizers?: Normalizer[] | undefined }

const Normalizer: z.ZodType<Normalizer> = z.looseObject({
  type: z.string(),
  get normalizers() {
    return z.array(Normalizer).optional()
  },
})

const Processor = z.looseObject({ type: z.string(), single: z.array(z.record(z.string(), z.unknown())).optional() })

/** What an export needs of `tokenizer.json`. */
const TokenizerJson = z.looseObject({
  model: z.looseObject({
    type: z.string().optional(),
    byte_fallback: z.boolean().nullish(),
    ignore_merges: z.boolean().nullish(),
    vocab: z.record(z.string(), z.int().nonnegative()).optional(),
    merges: z.array(z.union([z.string(), z.tuple([z.string(), z.string()])])).optional(),
  }),
  added_tokens: z.array(z.looseObject({ id: z.int().nonnegative(), content: z.string(), special: z.boolean().default(false) })).nullish(),
  normalizer: Normalizer.nullish(),
  pre_tokenizer: PreTokenizer.nullish(),
  post_processor: Processor.extend({ processors: z.array(Processor).optional() }).nullish(),
})
export type TokenizerJson = z.output<typeof TokenizerJson>

/** The tokenizer of a model with its chat template. */
export interface ModelTokenizer {
  json: TokenizerJson
  config: Readonly<Record<string, unknown>>
  special: ChatTokenizer['special']
  render: ChatTokenizer['render']
  textOf(id: number): string
  /** The source of the chat template. */
  template: string | null
}

/** @throws TokenizerError or ModelFileError naming the file */
export async function readModelTokenizer(folder: string): Promise<ModelTokenizer> {
  const [tokenizer, json, config] = await Promise.all([
    loadTokenizer(folder),
    readModelJson(folder, 'tokenizer.json'),
    readModelJson(folder, 'tokenizer_config.json'),
  ])
  const parsed = TokenizerJson.safeParse(json)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new ModelFileError('unsupported', `"${issue?.path.join('.') ?? ''}" in tokenizer.json does not fit: ${issue?.message ?? ''}`)
  }
  const template = await findChatTemplate(folder, config)
  return {
    json: parsed.data,
    config,
    special: tokenizer.special,
    render: tokenizer.render,
    textOf: (id) => tokenizer.decode([id]),
    template: template?.defaultTemplate ?? null,
  }
}
