import type { Media } from './media-in.ts'
import { ShowMedia } from './show-media.tsx'

interface Properties {
  media: readonly Media[]
  label?: string
  className?: string
}

/** Images, sounds and bytes. */
export const MediaList = ({ media, label, className = '' }: Properties) => (
  <ul className={`media-list ${className}`.trim()} aria-label={label}>
    {media.map((one, at) => (
      // Media keep their order in a value, so the index is a stable key.
      <ShowMedia key={String(at)} media={one} />
    ))}
  </ul>
)
