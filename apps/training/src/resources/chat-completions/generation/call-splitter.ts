import type { TemplateCalls } from '../../../tokenizer/tool-call-format.ts'
import { heldBack } from './held-back.ts'
import { type ParsedCall, parseCalls } from './parse-call.ts'

export interface SplitText {
  text: string
  calls: ParsedCall[]
}

/** Takes the calls out of a text that arrives in pieces. Everything else stays text, and white space beside calls is dropped. */
export class CallSplitter {
  readonly #format: Pick<TemplateCalls, 'open' | 'close'>
  readonly #argumentsKey: string
  #buffer = ''
  #isInside: boolean
  /** White space that is text only if more text follows. */
  #space = ''
  #hasCalls = false

  constructor(format: Pick<TemplateCalls, 'open' | 'close' | 'middle'>) {
    this.#format = format
    this.#argumentsKey = /"(\w+)"\s*:\s*$/.exec(format.middle)?.[1] ?? 'arguments'
    this.#isInside = format.open === ''
  }

  push(piece: string): SplitText {
    this.#buffer += piece
    const out: SplitText = { text: '', calls: [] }
    while (this.#isInside ? this.#leave(out) : this.#enter(out));
    return out
  }

  /** What is left at the end: a call that was not closed, or text. */
  flush(): SplitText {
    const out: SplitText = { text: '', calls: [] }
    const { open } = this.#format
    if (this.#isInside) this.#addCall(out, this.#buffer, `${open}${this.#buffer}`)
    else this.#addText(out, this.#buffer)
    this.#buffer = ''
    if (!this.#hasCalls) out.text += this.#space
    this.#space = ''
    return out
  }

  #enter(out: SplitText): boolean {
    const { open } = this.#format
    const at = this.#buffer.indexOf(open)
    const end = at >= 0 ? at : this.#buffer.length - heldBack(this.#buffer, open)
    this.#addText(out, this.#buffer.slice(0, end))
    this.#buffer = this.#buffer.slice(at >= 0 ? at + open.length : end)
    this.#isInside = at >= 0
    return at >= 0
  }

  #leave(out: SplitText): boolean {
    const { open, close } = this.#format
    const at = close === '' ? -1 : this.#buffer.indexOf(close)
    if (at < 0) return false
    const body = this.#buffer.slice(0, at)
    this.#addCall(out, body, `${open}${body}${close}`)
    this.#buffer = this.#buffer.slice(at + close.length)
    this.#isInside = false
    return true
  }

  #addCall(out: SplitText, body: string, whole: string): void {
    const calls = parseCalls(body, this.#argumentsKey)
    if (calls.length === 0) {
      this.#addText(out, whole)
      return
    }
    this.#hasCalls = true
    this.#space = ''
    out.calls.push(...calls)
  }

  #addText(out: SplitText, text: string): void {
    const end = text.trimEnd().length
    if (end === 0) {
      this.#space += text
      return
    }
    out.text += this.#space + text.slice(0, end)
    this.#space = text.slice(end)
  }
}
