import { useMutation } from '@tanstack/react-query'
import { Eye } from 'lucide-react'
import { useEffect, useState } from 'react'
import { client } from '../../lib/server/client.ts'
import { useProjectIfAny } from '../../lib/use-project.ts'
import { Failure } from '../../ui/states/failure.tsx'
import { bytesOf, type Media, sizeText } from './media-in.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'

/**
 * An image or a sound, shown on demand: one call may have many large ones. Other bytes show their size, and so do files on a page without a project.
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
    <li className="flex flex-col items-start gap-2">
      <span className="flex max-w-full items-center gap-2">
        <Badge className="min-w-0">
          <span className="truncate">{`${path}: ${type ?? 'bytes of an unknown kind'}, ${name}`}</span>
        </Badge>
        {source.kind === 'file' && project === undefined && <span className="text-xs text-fg-3">File not included in this link.</span>}
        {canLoad && url === undefined && (
          <Button icon={Eye} aria-label={`Show ${path}, ${name}`} disabled={load.isPending} onClick={() => load.mutate()}>
            Show
          </Button>
        )}
      </span>
      <Failure error={load.error} before="It cannot be shown." />
      {url !== undefined && type?.startsWith('image/') === true && (
        <img className="block max-h-120 max-w-full rounded-md border border-line" src={url} alt={`At ${path}`} />
      )}
      {url !== undefined && type?.startsWith('audio/') === true && <audio controls src={url} aria-label={`At ${path}`} />}
    </li>
  )
}
