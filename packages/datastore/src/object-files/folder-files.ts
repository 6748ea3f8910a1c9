import { readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { removeStaged, stagedFiles } from '../blobs/staged-files.ts'
import { makeFolder, syncFolder } from '../durable-folders.ts'
import { codeOf } from '../error-code.ts'
import { checkedName, type ObjectFiles } from './object-files.ts'

/** Files below a folder, which is created when it is first written to. */
export function folderFiles(folder: string): ObjectFiles {
  const staged = stagedFiles(join(folder, '.incoming'))
  const pathOf = (name: string) => join(folder, checkedName(name))
  return {
    async write(name, content) {
      const path = pathOf(name)
      const file = await staged.write(content)
      try {
        await makeFolder(dirname(path))
        await rename(file.path, path)
        await syncFolder(dirname(path))
      } finally {
        await removeStaged(file.path)
      }
      return file.sizeBytes
    },
    async readText(name) {
      return readFile(pathOf(name), 'utf8').catch((error: unknown) => {
        if (codeOf(error) === 'ENOENT') return undefined
        throw error
      })
    },
    remove: (name) => rm(pathOf(name), { force: true }),
  }
}
