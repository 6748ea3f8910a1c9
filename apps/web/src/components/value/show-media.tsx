import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { client } from '../../app/client.ts'
import { useProjectIfAny } from '../../app/use-project.ts'
import { Failure } from '../failure.tsx'
import { bytesOf, type Media, sizeText } from './media-in.ts'

/**
 * An image or a sound, shown when it is asked for: many may stand in one call, and be large. Other bytes show their size, and so do files on a
 * page that belongs to no project.
 */
export function ShowMedia({ media: { path, type, source, bytes } }: { media: Media }) {
  const project = useProjectIfAny()
  const canLoad = type !== undefined && (source.kind === 'text' || project !== undefined)
  const [url, setUrl] = useState<string>()
  const load = useMutation({
    mutationFn: async () => {
      const content =
        source.kind === 'text'
          ? bytesOf(source.base64)
          : Uint8Array.from((await client.files.content({ project_id: project?.id ?? '', digest: source.digest })).bytes)
      return URL.createObjectURL(new Blob([content], { type: type ?? 'application/octet-stream' }))
    },
    onSuccess: setUrl,
  })
  useEffect(() => () => (url === undefined ? undefined : URL.revokeObjectURL(url)), [url])
  const name = source.kind === 'file' ? source.name : `${sizeText(bytes ?? 0)} as base64`
  return (
    <li>
      <span className="tag">{`${path}: ${type ?? 'bytes of an unknown kind'}, ${name}`}</span>
      {source.kind === 'file' && project === undefined && <span className="muted"> A file, which is not part of the link.</span>}
      {canLoad && url === undefined && (
        <button type="button" aria-label={`Show ${path}, ${name}`} disabled={load.isPending} onClick={() => load.mutate()}>
          Show it
        </button>
      )}
      <Failure error={load.error} before="It cannot be shown." />
      {url !== undefined && type?.startsWith('image/') === true && <img className="media" src={url} alt={`At ${path}`} />}
      {url !== undefined && type?.startsWith('audio/') === true && <audio controls src={url} aria-label={`At ${path}`} />}
    </li>
  )
}
