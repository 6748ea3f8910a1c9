import { stringifyJson } from '@heddle/json'

/** Texts for locating positions in a template's output. */
export interface Marks {
  /** In all of them, and nowhere else. */
  stem: string
  marks: string[]
}

/**
 * Texts that occur neither in a conversation nor in each other, survive templates that trim content, and read the same in JSON. `within` is all of
 * the template's input.
 */
export function createMarks(within: unknown, count: number): Marks {
  const text = within === undefined ? '' : stringifyJson(within)
  let stem = 'sampledhere'
  while (text.includes(stem)) stem += 'z'
  return { stem, marks: Array.from({ length: count }, (_, at) => `${stem}Q${at}Q`) }
}

/** The pieces of a text between its marks, one more than there are marks. Null unless each mark occurs exactly once and in order. */
export function cutAtMarks(text: string, { stem, marks }: Marks): string[] | null {
  if (text.split(stem).length - 1 !== marks.length) return null
  const pieces: string[] = []
  let from = 0
  for (const mark of marks) {
    const found = text.indexOf(mark, from)
    if (found === -1) return null
    pieces.push(text.slice(from, found))
    from = found + mark.length
  }
  return [...pieces, text.slice(from)]
}
