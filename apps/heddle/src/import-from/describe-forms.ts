import { encodingTitles, separatorTitles } from '@heddle/text-files'
import type { SourceFile } from './read-records.ts'
import type { TextForm } from './source-text.ts'

/** Lines that say how files are read, one for all that are read alike; none for JSON in UTF-8, which is read in no other way. */
export function describeForms(files: readonly SourceFile[]): string[] {
  const alike = new Map<string, string[]>()
  for (const { name, form } of files) {
    const read = form === undefined ? undefined : describe(form)
    if (read !== undefined) alike.set(read, [...(alike.get(read) ?? []), name])
  }
  return [...alike].map(([read, [first = '', ...others]]) => `Reading ${first}${andOthers(others.length)} as ${read}`)
}

function describe({ encoding, separator }: TextForm): string | undefined {
  if (separator !== undefined) return `${encodingTitles[encoding]}, separator: ${separatorTitles[separator]}`
  return encoding === 'utf-8' ? undefined : encodingTitles[encoding]
}

function andOthers(count: number): string {
  if (count === 0) return ''
  return ` and ${count.toLocaleString('en')} other ${count === 1 ? 'file' : 'files'}`
}
