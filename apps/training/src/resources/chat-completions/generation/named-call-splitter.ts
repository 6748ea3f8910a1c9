import type { TemplateCalls } from '../../../tokenizer/tool-call-format.ts'
import { heldBack } from '../held-back.ts'
import { ObjectEnd } from './object-end.ts'
import { isObjectText, isOwnId } from './parse-call.ts'
import type { SplitText } from './split-text.ts'
import { TextBesideCalls } from './text-beside-calls.ts'

type Format = Pick<TemplateCalls, 'open' | 'close' | 'begin' | 'middle' | 'id' | 'epilogue'>

/** Most letters before the arguments: with more, the text is not a call. */
const longestHead = 512

interface Head {
  name: string
  id: string | null
}

/** Calls whose names precede the JSON of their arguments. */
export class NamedCallSplitter {
  readonly #format: Format
  /** What begins a call that follows another one. */
  readonly #next: string
  readonly #epilogue: string
  readonly #text = new TextBesideCalls()
  #buffer = ''
  #at: 'text' | 'head' | 'arguments' | 'between' = 'text'
  /** The call's text so far, which becomes text if it is not a call. */
  #read = ''
  #head: Head = { name: '', id: null }
  #end = new ObjectEnd()

  constructor(format: Format) {
    this.#format = format
    this.#next = format.begin.trim()
    this.#epilogue = format.epilogue.trim()
  }

  push(piece: string): SplitText {
    this.#buffer += piece
    const out: SplitText = { text: '', calls: [] }
    while (this.#step(out, false));
    return out
  }

  /** The rest at the end: a call that lacks only its end, or text. */
  flush(): SplitText {
    const out: SplitText = { text: '', calls: [] }
    while (this.#step(out, true));
    out.text += this.#text.add(this.#buffer) + this.#text.flush()
    this.#buffer = ''
    return out
  }

  /** Takes one part from the buffer. False if more text is needed, or nothing is left. */
  #step(out: SplitText, isLast: boolean): boolean {
    switch (this.#at) {
      case 'text':
        return this.#enter(out)
      case 'head':
        return this.#takeHead() ?? (isLast && this.#giveUp(out))
      case 'arguments':
        return this.#takeArguments(out, isLast) ?? (isLast && this.#giveUp(out))
      case 'between':
        return this.#goOn(isLast)
    }
  }

  #enter(out: SplitText): boolean {
    const { open } = this.#format
    const at = this.#buffer.indexOf(open)
    const end = at >= 0 ? at : this.#buffer.length - heldBack(this.#buffer, open)
    out.text += this.#text.add(this.#buffer.slice(0, end))
    this.#buffer = this.#buffer.slice(end)
    if (at >= 0) this.#begin(open)
    return at >= 0
  }

  #begin(opening: string): void {
    this.#read = opening
    this.#buffer = this.#buffer.slice(opening.length)
    this.#at = 'head'
  }

  /** Null if more text is needed. */
  #takeHead(): true | null {
    const { id, middle } = this.#format
    const isNamed = id?.behind === 'name'
    const mark = (isNamed ? id.before : middle).trim()
    const at = this.#buffer.indexOf(mark)
    const argumentsMark = isNamed ? this.#buffer.indexOf(middle.trim(), at + mark.length) : at
    const start = this.#buffer.indexOf('{', argumentsMark + middle.trim().length)
    if (at < 0 || argumentsMark < 0 || start < 0)
      return this.#buffer.length > longestHead ? this.#startArguments(0, { name: '', id: null }) : null
    const given = isNamed ? this.#buffer.slice(at + mark.length, argumentsMark).trim() : null
    const isApart = this.#buffer.slice(argumentsMark + middle.trim().length, start).trim() === ''
    return this.#startArguments(start, { name: isApart ? this.#buffer.slice(0, at).trim() : '', id: given })
  }

  #startArguments(start: number, head: Head): true {
    this.#head = head
    this.#read += this.#buffer.slice(0, start)
    this.#buffer = this.#buffer.slice(start)
    this.#end = new ObjectEnd()
    this.#at = 'arguments'
    return true
  }

  /** Null if more text is needed. */
  #takeArguments(out: SplitText, isLast: boolean): boolean | null {
    const { close } = this.#format
    if (this.#head.name === '' || /\s/.test(this.#head.name)) return this.#giveUp(out)
    const end = this.#end.find(this.#buffer)
    if (end === null) return null
    const behind = this.#buffer.slice(end).trimStart()
    if (!behind.startsWith(close) && !(isLast && behind === ''))
      return close.startsWith(behind.trimEnd()) && !isLast ? null : this.#giveUp(out)
    const given = this.#buffer.slice(0, end)
    if (!isObjectText(given)) return this.#giveUp(out)
    this.#text.addCall()
    const { name, id } = this.#head
    out.calls.push({ name, arguments: given, ...(isOwnId(id) && { id }) })
    this.#buffer = behind.slice(close.length)
    this.#at = 'between'
    return true
  }

  /** Behind a call: another one, the end of all, or text. */
  #goOn(isLast: boolean): boolean {
    const rest = this.#buffer.trimStart()
    if (rest.startsWith(this.#next)) {
      this.#buffer = rest
      this.#begin(this.#next)
      return true
    }
    if (this.#epilogue !== '' && rest.startsWith(this.#epilogue)) this.#buffer = rest.slice(this.#epilogue.length)
    else if (!isLast && (this.#next.startsWith(rest) || this.#epilogue.startsWith(rest))) return false
    this.#at = 'text'
    return true
  }

  /** The text so far is not a call; the rest may be one. */
  #giveUp(out: SplitText): true {
    out.text += this.#text.add(this.#read)
    this.#at = 'text'
    return true
  }
}
