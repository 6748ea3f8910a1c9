import { Badge } from '../../ui/badge.tsx'

/** A mark after a name in a narrow column: it is cut before the name is, and its tip is longer. */
export const MarkAfterName = ({ text, tip = text }: { text: string; tip?: string }) => (
  // A name next to it would otherwise give up a fraction of a pixel, and with it several letters.
  <span className="ml-1.5 inline-flex min-w-5 shrink-99999" data-tip={tip} data-place="top">
    <Badge tone="amber" className="min-w-0">
      <span className="truncate">{text}</span>
    </Badge>
  </span>
)
