/** Ids of tokens that mean something to the service. Null: the model has none. */
export interface SpecialTokens {
  beginOfText: number | null
  endOfText: number | null
  padding: number | null
  unknown: number | null
  /** The token with which the chat template ends an assistant's turn; often the same as the end of the text. */
  endOfTurn: number | null
  /** Tokens that end a completion: the end of the text, of a turn, and what `generation_config.json` adds. */
  stop: readonly number[]
  /** All tokens that represent structure instead of text. */
  all: ReadonlySet<number>
}

interface SpecialTokenFiles {
  config: Readonly<Record<string, unknown>>
  /** `generation_config.json`; null if the folder has none. */
  generation: Readonly<Record<string, unknown>> | null
  special: ReadonlySet<number>
  endOfTurn: number | null
  idOf(text: string): number | null
}

export function readSpecialTokens({ config, generation, special, endOfTurn, idOf }: SpecialTokenFiles): SpecialTokens {
  const find = (key: string) => {
    const text = tokenText(config[key])
    return text === null ? null : idOf(text)
  }
  const endOfText = find('eos_token')
  const stop = [endOfText, endOfTurn, ...generationStops(generation)].filter((id) => id !== null)
  return {
    beginOfText: find('bos_token'),
    endOfText,
    padding: find('pad_token'),
    unknown: find('unk_token'),
    endOfTurn,
    stop: [...new Set(stop)],
    all: special,
  }
}

/** The text of a token in `tokenizer_config.json`, where it is written plainly or with its settings. */
export function tokenText(value: unknown): string | null {
  if (typeof value === 'string') return value
  const content = typeof value === 'object' && value !== null ? (value as { content?: unknown }).content : null
  return typeof content === 'string' ? content : null
}

function generationStops(generation: Readonly<Record<string, unknown>> | null): number[] {
  const ids = generation?.['eos_token_id']
  return (Array.isArray(ids) ? ids : [ids]).filter((id): id is number => Number.isInteger(id))
}
