import { hashFile } from '../archive/hashed-files.ts'
import { describeForms } from './describe-forms.ts'
import type { ForeignFormat } from './foreign-item.ts'
import { mediaIdIn } from './media/media-files.ts'
import { findSourceFiles, type FoundFile, readRecords, type SourceFile, withForms } from './read-records.ts'
import type { ChosenForm } from './source-text.ts'

interface Surveying {
  path: string
  form: ChosenForm
  format: ForeignFormat
  onStep: (step: string) => void
  onNote: (line: string) => void
}

interface SurveyedFiles {
  /** Files with records. */
  files: SourceFile[]
  /** Names of files that are media, although there is a reader for their ending. */
  media: string[]
  /** Names of files that no reader knows; they may be media. */
  unknown: string[]
}

/**
 * Finds the files of an export and surveys their records. A file of JSON, CSV or Parquet that is named like media is media if records of the other files
 * refer to it, or if its name is the id of its content; else it has records.
 * @throws UsageError with file and place of a record that cannot be read
 */
export async function surveyFiles({ path, form, format, onStep, onNote }: Surveying): Promise<SurveyedFiles> {
  async function survey(files: readonly SourceFile[]): Promise<void> {
    for (const line of describeForms(files)) onNote(line)
    for await (const { record, place } of readRecords(files)) {
      format.survey(record, place)
      if (place.number % 1000 === 0) onStep(`Reading ${place.file}: ${place.number}`)
    }
  }

  const isNamedLikeMedia = (name: string) => format.media?.isId(mediaIdIn(name)) ?? false
  const { files, unknown, deferred } = await findSourceFiles(path, form, isNamedLikeMedia)
  await survey(files)
  const media = await findMedia(deferred, format)
  const others = await withForms(
    deferred.filter(({ name }) => !media.includes(name)),
    form,
  )
  await survey(others)
  return { files: [...files, ...others], media, unknown }
}

/** Names of the files that are media. */
async function findMedia(files: readonly FoundFile[], { media }: ForeignFormat): Promise<string[]> {
  const found: string[] = []
  for (const { name, path } of files) {
    const id = mediaIdIn(name)
    if (media?.types.has(id) || media?.idOf((await hashFile('', path)).sha256) === id) found.push(name)
  }
  return found
}
