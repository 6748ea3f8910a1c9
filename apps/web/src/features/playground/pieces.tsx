import { cx } from '../../lib/cx.ts'
import type { TextPiece } from './draft/variables.ts'

/** Parts of a text, the variables marked. With `marksOnly` no text is seen: an editor has the same text above the marks. */
export const Pieces = ({ pieces, marksOnly = false }: { pieces: readonly TextPiece[]; marksOnly?: boolean }) => (
  <>
    {pieces.map(({ text, isVariable }, at) =>
      isVariable ? (
        // Pieces keep their order, so the index is a stable key.
        <span key={String(at)} className={cx('rounded-xs bg-accent-soft ring-1 ring-accent-line', !marksOnly && 'px-0.5 text-accent-text')}>
          {text}
        </span>
      ) : (
        text
      ),
    )}
  </>
)
