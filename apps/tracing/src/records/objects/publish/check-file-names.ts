import { badRequest, isJsonObject } from '@heddle/core-api/internal'

/**
 * Refuses custom-type values whose `files` have names that lead out of a folder: clients write these names to disk.
 * @throws 400 for an absolute name or one with a `..` part.
 */
export function checkFileNames(val: unknown): void {
  if (Array.isArray(val)) {
    for (const element of val) checkFileNames(element)
  } else if (isJsonObject(val)) {
    if (val._type === 'CustomWeaveType' && isJsonObject(val.files)) Object.keys(val.files).forEach(checkFileName)
    for (const key of Object.keys(val)) checkFileNames(val[key])
  }
}

function checkFileName(name: string): void {
  if (/^[/\\]|^[A-Za-z]:/.test(name) || name.split(/[/\\]/).includes('..')) {
    throw badRequest(`file name ${JSON.stringify(name)} in "files" must be relative and without ".."; choose a plain name`)
  }
}
