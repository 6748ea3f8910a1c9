import { assertElements } from '../template-limits.ts'
import { spaces } from './characters.ts'
import { lengthOf, splitLines } from './strings.ts'

/** How `textwrap.wrap` breaks lines. */
export interface Wrapping {
  /** Most characters of a line. */
  width: number
  breaksLongWords: boolean
  /** Whether lines may end behind hyphens between letters, and around dashes. */
  splitsAtHyphens: boolean
  /** Whether a long word is broken behind one of its hyphens. */
  breaksAtHyphens: boolean
}

/** Where a text may be broken: around white space, after hyphens between letters, and around dashes. The text between the breaks is kept. */
const hyphenChunks =
  /([\t-\r ]+|(?<=[\p{L}\p{N}_!"'&.,?])-{2,}(?=[\p{L}\p{N}_])|[^\t-\r ]+?(?:-(?:(?<=[\p{L}\p{No}\p{Nl}_]{2}-)|(?<=[\p{L}\p{No}\p{Nl}_]-[\p{L}\p{N}_!"'&.,?]-))(?=[\p{L}\p{No}\p{Nl}_]-?[\p{L}\p{No}\p{Nl}_])|(?=[\t-\r ]|$)|(?<=[\p{L}\p{N}_!"'&.,?])(?=-{2,}[\p{L}\p{N}_])))/u
const spaceChunks = /([\t-\r ]+)/

/** Python's `textwrap.wrap` of each line of a text, with tabs and other white space as they are. @throws RangeError for a width of no characters */
export function wrapText(text: string, wrapping: Wrapping): string[][] {
  return splitLines(text, false).map((line) => wrapLine(line, wrapping))
}

function wrapLine(line: string, wrapping: Wrapping): string[] {
  const { width, splitsAtHyphens } = wrapping
  if (width <= 0) throw new RangeError(`invalid width ${width} (must be > 0)`)
  const chunks = line.split(splitsAtHyphens ? hyphenChunks : spaceChunks).filter((chunk) => chunk !== '')
  const lines: string[] = []
  const rest = new Chunks(chunks)
  while (!rest.isEmpty) {
    if (lines.length > 0 && rest.isNextBlank) rest.take()
    const written = fillLine(rest, wrapping)
    if (written !== '') lines.push(written)
    assertElements(lines.length)
  }
  return lines
}

/** Chunks of a line that are not written yet. */
class Chunks {
  readonly #chunks: string[]

  constructor(chunks: readonly string[]) {
    this.#chunks = chunks.toReversed()
  }

  get isEmpty(): boolean {
    return this.#chunks.length === 0
  }

  get next(): string {
    return this.#chunks.at(-1) ?? ''
  }

  get isNextBlank(): boolean {
    return isBlank(this.next)
  }

  take(): string {
    return this.#chunks.pop() ?? ''
  }

  putBack(chunk: string): void {
    this.#chunks.push(chunk)
  }
}

const isBlank = (chunk: string) => chunk === '' || spaces.test(chunk)

function fillLine(rest: Chunks, wrapping: Wrapping): string {
  const line: string[] = []
  let length = 0
  while (!rest.isEmpty && length + lengthOf(rest.next) <= wrapping.width) {
    length += lengthOf(rest.next)
    line.push(rest.take())
  }
  if (!rest.isEmpty && lengthOf(rest.next) > wrapping.width) {
    if (wrapping.breaksLongWords) line.push(takeStart(rest, wrapping.width - length, wrapping))
    else if (line.length === 0) line.push(rest.take())
  }
  if (isBlank(line.at(-1) ?? '')) line.pop()
  return line.join('')
}

/** The beginning of a word that is longer than a line, up to its last hyphen that fits. */
function takeStart(rest: Chunks, space: number, { breaksAtHyphens }: Wrapping): string {
  const characters = Array.from(rest.take())
  const hyphen = breaksAtHyphens ? characters.slice(0, space).lastIndexOf('-') : -1
  const isBehindWord = hyphen > 0 && characters.slice(0, hyphen).some((character) => character !== '-')
  const end = isBehindWord ? hyphen + 1 : space
  rest.putBack(characters.slice(end).join(''))
  return characters.slice(0, end).join('')
}
