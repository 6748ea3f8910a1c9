import { Link } from '@tanstack/react-router'
import { ArrowUpRight } from 'lucide-react'
import { MoreButton, type MorePages } from '../../ui/table/more-button.tsx'
import { TimeInColumn } from '../../ui/time/time.tsx'
import { Avatar } from '../../ui/badge.tsx'
import type { ObjectVersion } from '../../features/library/library-queries.ts'
import { ScoreCurve, VersionScore } from './prompt-scores.tsx'
import type { PromptScoresState } from './use-prompt-scores.ts'
import { VersionLabels } from '../../features/library/version-labels.tsx'

const from = '/$entity/$project/$kind/$object'

interface Properties {
  versions: readonly ObjectVersion[]
  shown: ObjectVersion
  /** The version before the one shown. */
  before: ObjectVersion | undefined
  /** Reads older ones. */
  more: MorePages
  /** What evaluations found of the versions of a prompt. */
  scores: PromptScoresState | undefined
}

/** The versions of an object, the newest first. */
export const VersionsList = ({ versions, shown, before, more, scores }: Properties) => (
  <aside aria-label="Versions" className="flex w-72 shrink-0 flex-col border-l border-line max-md:w-full max-md:border-t max-md:border-l-0">
    <div className="flex h-10 shrink-0 items-center border-b border-line px-4">
      <h2 className="grow font-semibold">Versions</h2>
      <span className="num text-xs text-fg-3">
        {versions.length.toLocaleString('en')}
        {more.hasNextPage && '+'}
      </span>
    </div>
    {scores && <ScoreCurve state={scores} />}
    <ul className="min-h-0 grow overflow-auto">
      {versions.map((version) => (
        <li key={version.digest} className="border-b border-line">
          <Link
            from={from}
            to="."
            search={(search) => ({ ...search, version: version.digest, against: undefined })}
            aria-current={version.digest === shown.digest ? 'true' : undefined}
            className="flex flex-col gap-1.5 px-4 py-2.5 no-underline -outline-offset-2 pressable aria-[current=true]:bg-selected aria-[current=true]:shadow-[inset_2px_0_var(--accent)]"
          >
            <span className="flex flex-wrap items-center gap-1.5">
              <span className="font-medium text-fg">v{version.version_index}</span>
              <VersionLabels aliases={version.aliases} tags={version.tags} />
              {scores?.scores && <VersionScore series={scores.scores.drawn} version={version.version_index} />}
            </span>
            <span className="flex items-center gap-2 text-xs text-fg-3">
              {version.wb_user_id !== null && version.wb_user_id !== '' && (
                <>
                  <Avatar name={version.wb_user_id} />
                  <span className="min-w-0 grow truncate">{version.wb_user_id}</span>
                </>
              )}
              <span className="shrink-0">
                <TimeInColumn value={version.created_at} />
              </span>
            </span>
          </Link>
        </li>
      ))}
      <li className="p-3">
        <MoreButton query={more}>Older versions</MoreButton>
      </li>
    </ul>
    {before && (
      <Link
        from={from}
        to="."
        search={(search) => ({ ...search, version: shown.digest, against: before.digest, tab: undefined })}
        className="flex h-9 shrink-0 items-center gap-1 border-t border-line px-4 text-xs"
      >
        Compare v{before.version_index} and v{shown.version_index}
        <ArrowUpRight size={12} aria-hidden />
      </Link>
    )}
  </aside>
)
