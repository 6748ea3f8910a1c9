import Papa from 'papaparse'

/** Separators of the cells of a record; `none` if each line is one cell. */
export const separatorTitles = {
  ',': 'Comma',
  ';': 'Semicolon',
  '\t': 'Tab',
  '|': 'Vertical bar',
  none: 'None: one column',
} as const
export type Separator = keyof typeof separatorTitles
export const separators = Object.keys(separatorTitles) as Separator[]

const sampledRecords = 100
/** A control character that no text has as a separator, for files of one column. */
const noSeparator = '\u001f'

/** How Papa Parse names a separator. */
export const delimiterOf = (separator: Separator): string => (separator === 'none' ? noSeparator : separator)

/**
 * The separator with which the first records have as many cells as the header, and the most. A character that is not in the header is not a
 * separator: a file with one column may have it in its texts. If none fits every record, the one that fits most of them.
 */
export function detectSeparator(text: string): Separator {
  let best: { separator: Separator; fit: number; columns: number } = { separator: 'none', fit: 0, columns: 1 }
  for (const separator of separators) {
    if (separator === 'none') continue
    const { columns, fit } = fitOf(text, separator)
    if (columns > 1 && (fit > best.fit || (fit === best.fit && columns > best.columns))) best = { separator, fit, columns }
  }
  return best.separator
}

function fitOf(text: string, separator: Separator): { columns: number; fit: number } {
  const { data } = Papa.parse<string[]>(text, { delimiter: separator, skipEmptyLines: 'greedy', preview: sampledRecords })
  const [header = [], ...records] = data
  const fitting = records.filter((record) => record.length === header.length).length
  return { columns: header.length, fit: records.length === 0 ? 1 : fitting / records.length }
}
