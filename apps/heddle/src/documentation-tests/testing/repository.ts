import { fileURLToPath } from 'node:url'

/** Folder of the repository, with a slash at its end. */
export const repository = fileURLToPath(new URL('../../../../../', import.meta.url))
