/** Something the assistant can read whole, by its URI. */
export interface AnswerLink {
  uri: string
  name: string
  description?: string
}

/** The list in an answer that is given in pages. */
export interface AnswerPage {
  /** Key of the list in `data`. */
  key: string
  /** Entries before the first one of this answer. */
  offset: number
  /** Entries of all pages; undefined where they were not counted. */
  total?: number
  /** Whether there are entries after the last one of this answer. */
  hasMore: boolean
  /** See `PageStart`. */
  anchor?: string
  /** The anchor where the next page begins after an entry, by that entry. */
  after?: (entry: object) => string
}

/** A tool's findings, before they are fitted into the caller's token limit. */
export interface Answer {
  /** The conclusion, in a sentence or two. */
  headline: string
  data: Record<string, unknown>
  page?: AnswerPage
  warnings?: readonly string[]
  links?: readonly AnswerLink[]
}

/** The envelope of every answer. */
export interface Envelope {
  data: Record<string, unknown>
  page?: { next_cursor?: string; returned: number; total?: number }
  /** The parts omitted to fit, and how to get them. */
  truncated?: { reason: string; dropped: string[]; how_to_get_the_rest: string }
  warnings: string[]
}
