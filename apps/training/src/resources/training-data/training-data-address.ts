import type { BlobStat } from '@heddle/datastore'

/** The address of uploaded training data. */
export const toTrainingDataUrl = (projectId: string, name: string) => `heddle-artifact:///${projectId}/${name}:v0`

/** What an address of the artifact scheme names; undefined for any other address. */
export function parseArtifactUrl(url: string): { projectId: string; name: string } | undefined {
  const [, entity, project, name] = /^[a-z][a-z0-9]*-artifact:\/{2,3}([^/]+)\/([^/]+)\/([^/]+?)(?::(?:v0|latest))?$/.exec(url) ?? []
  return entity && project && name ? { projectId: `${entity}/${project}`, name } : undefined
}

/** The name of uploaded data: equal contents have one. */
export const nameOfUpload = ({ digest }: BlobStat) => `training-data-${digest.slice(0, 32)}`
