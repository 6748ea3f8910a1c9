import type { TemplateCalls } from '../../../tokenizer/tool-call-format.ts'
import { heldBack } from '../held-back.ts'
import { NamedCallSplitter } from './named-call-splitter.ts'
import { parseCalls } from './parse-call.ts'
import type { SplitText } from './split-text.ts'
import { TextBesideCalls } from './text-beside-calls.ts'

/** Extracts the calls from a text that arrives in pieces. Everything else remains text, except white space around calls, which is dropped. */
export interface CallSplitter {
  push(piece: string): SplitText
  /** The rest at the end: an unclosed call, or text. */
  flush(): SplitText
}

/** A splitter for calls as a template writes them. */
export function createCallSplitter(format: TemplateCalls): CallSplitter {
  return format.form === 'apart' ? new NamedCallSplitter(format) : new ObjectCallSplitter(format)
}

/** Calls that are JSON objects, individually or in a list. */
class ObjectCallSplitter implements CallSplitter {
  readonly #format: Pick<TemplateCalls, 'open' | 'close'>
  readonly #argumentsKey: string
  #buffer = ''
  #isInside: boolean
  readonly #text = new TextBesideCalls()

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

  flush(): SplitText {
    const out: SplitText = { text: '', calls: [] }
    const { open } = this.#format
    if (this.#isInside) this.#addCall(out, this.#buffer, `${open}${this.#buffer}`)
    else out.text += this.#text.add(this.#buffer)
    this.#buffer = ''
    out.text += this.#text.flush()
    return out
  }

  #enter(out: SplitText): boolean {
    const { open } = this.#format
    const at = this.#buffer.indexOf(open)
    const end = at >= 0 ? at : this.#buffer.length - heldBack(this.#buffer, open)
    out.text += this.#text.add(this.#buffer.slice(0, end))
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
      out.text += this.#text.add(whole)
      return
    }
    this.#text.addCall()
    out.calls.push(...calls)
  }
}
