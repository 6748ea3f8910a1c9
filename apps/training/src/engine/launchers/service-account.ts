import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

/** Where Kubernetes gives a pod its identity. */
export const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount'

/** The namespace that a process in a pod runs in; undefined outside of one. */
export function ownNamespace(folder = serviceAccountFolder): string | undefined {
  try {
    return readFileSync(`${folder}/namespace`, 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}

/** Null if the file does not exist. */
export async function readOptionalFile(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim() || null
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
