import type { SampledToken } from '../engine.ts'

/** The output of a generation, in order, for one reader. */
export class GenerationStream {
  private readonly waiting: (readonly SampledToken[])[] = []
  private wake: (() => void) | null = null
  private ended: { error: unknown } | { error?: never } | null = null

  push(tokens: readonly SampledToken[]): void {
    this.waiting.push(tokens)
    this.wake?.()
  }

  end(): void {
    this.ended = {}
    this.wake?.()
  }

  fail(error: unknown): void {
    this.ended = { error }
    this.wake?.()
  }

  /** Ends with the generation, and fails with its error once everything before was read. */
  async *read(): AsyncGenerator<readonly SampledToken[]> {
    for (;;) {
      const tokens = this.waiting.shift()
      if (tokens) yield tokens
      else if (this.ended) {
        if ('error' in this.ended) throw this.ended.error
        return
      } else {
        await new Promise<void>((resolve) => {
          this.wake = resolve
        })
      }
    }
  }
}
