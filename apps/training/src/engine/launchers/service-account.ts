import { readFileSync } from 'node:fs'
import { readOptionalFile } from './optional-file.ts'

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

/** What a mounted file says; null if it does not exist, or is empty. */
export async function readMountedFile(path: string): Promise<string | null> {
  return (await readOptionalFile(path))?.trim() || null
}
