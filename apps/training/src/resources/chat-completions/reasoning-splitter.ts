import { heldBack } from './held-back.ts'

export interface SplitReasoning {
  reasoning: string
  text: string
}

const names = ['think', 'thinking', 'reasoning']
export const reasoningTags: readonly string[] = names.flatMap((name) => [`<${name}>`, `</${name}>`])

/** The tag that opens reasoning at the end of a prompt, where its template begins the answer with one; null without. */
export function openedBy(promptEnd: string): string | null {
  return /<(think|thinking|reasoning)>\s*$/.exec(promptEnd)?.[1] ?? null
}

/**
 * Extracts the reasoning from the beginning of an answer that arrives in pieces: the text up to the closing tag, if the answer begins with an opening
 * tag, or the prompt ended with one. Line breaks after both tags are dropped. Later tags are text.
 */
export class ReasoningSplitter {
  #buffer = ''
  #state: 'beginning' | 'opened' | 'inside' | 'closed' | 'after'
  #close: string

  constructor(opened: string | null) {
    this.#state = opened === null ? 'beginning' : 'opened'
    this.#close = `</${opened ?? ''}>`
  }

  push(piece: string): SplitReasoning {
    this.#buffer += piece
    if (this.#state === 'beginning') this.#begin()
    if (this.#state === 'opened') this.#skipBreaks('inside')
    const reasoning = this.#state === 'inside' ? this.#takeReasoning() : ''
    if (this.#state === 'closed') this.#skipBreaks('after')
    return { reasoning, text: this.#state === 'after' ? this.#take(this.#buffer.length) : '' }
  }

  /** The rest at the end. */
  flush(): SplitReasoning {
    const rest = this.#take(this.#buffer.length)
    return this.#state === 'inside' ? { reasoning: rest, text: '' } : { reasoning: '', text: rest }
  }

  #begin(): void {
    const start = this.#buffer.trimStart()
    const name = names.find((each) => start.startsWith(`<${each}>`))
    if (name !== undefined) {
      this.#buffer = start.slice(name.length + 2)
      this.#close = `</${name}>`
      this.#state = 'opened'
    } else if (!names.some((each) => `<${each}>`.startsWith(start))) this.#state = 'after'
  }

  #skipBreaks(next: 'inside' | 'after'): void {
    this.#buffer = this.#buffer.replace(/^\n+/, '')
    if (this.#buffer !== '') this.#state = next
  }

  #takeReasoning(): string {
    const at = this.#buffer.indexOf(this.#close)
    if (at < 0) return this.#take(this.#buffer.length - heldBack(this.#buffer, this.#close))
    const reasoning = this.#take(at)
    this.#take(this.#close.length)
    this.#state = 'closed'
    return reasoning
  }

  #take(length: number): string {
    const taken = this.#buffer.slice(0, length)
    this.#buffer = this.#buffer.slice(length)
    return taken
  }
}
