import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { client } from '../../app/client.ts'
import { useProject } from '../../app/use-project.ts'
import { Empty } from '../../components/empty.tsx'
import { LongText } from '../../components/long-text.tsx'
import { ShowQuery } from '../../components/show-query.tsx'
import { Time } from '../../components/time.tsx'
import { DatasetChanges } from './dataset-changes.tsx'
import { datasetVersionsQuery } from './dataset-queries.ts'
import { DatasetUses } from './dataset-uses.tsx'
import type { DatasetVersion } from './dataset-versions.ts'
import { EditableRows } from './rows/editable-rows.tsx'

const tabs = { rows: 'Rows', changes: 'Changes', uses: 'Where used' } as const
const from = '/$entity/$project/datasets/$object'
const shortDescription = 1_000

/** One dataset: the rows of a version, how it differs from another, and what uses it. */
export function DatasetPage() {
  const project = useProject()
  const { object } = useParams({ from })
  const { version, tab = 'rows' } = useSearch({ from })
  const query = useInfiniteQuery(datasetVersionsQuery(client, project.id, object))
  return (
    <ShowQuery query={{ ...query, data: query.data?.pages.flat() }} what="versions">
      {(versions) => {
        const [latest] = versions
        if (!latest) return <Empty title={`No dataset named "${object}"`}>It may have been deleted, or it has another name.</Empty>
        const shown = versions.find(({ digest }) => digest === version) ?? versions.find(({ isLatest }) => isLatest) ?? latest
        return (
          <>
            <h1>{shown.name}</h1>
            {shown.description.length > shortDescription ? (
              <LongText text={shown.description} label="Description" />
            ) : (
              shown.description !== '' && <p>{shown.description}</p>
            )}
            {version !== undefined && shown.digest !== version && (
              <p role="status" className="notice">
                Version {version} is not among the versions that are loaded; the latest is shown.
              </p>
            )}
            <VersionChoice versions={versions} shown={shown} more={query.hasNextPage ? () => void query.fetchNextPage() : undefined} />
            <nav className="tabs" aria-label="Parts of the dataset">
              {Object.entries(tabs).map(([name, title]) => (
                <Link
                  key={name}
                  from={from}
                  to="."
                  search={(search) => ({ ...search, tab: name as keyof typeof tabs })}
                  aria-current={name === tab ? 'page' : undefined}
                >
                  {title}
                </Link>
              ))}
            </nav>
            {tab === 'rows' && <EditableRows key={shown.digest} version={shown} />}
            {tab === 'changes' && <DatasetChanges versions={versions} shown={shown} />}
            {tab === 'uses' && <DatasetUses objectId={object} version={shown} />}
          </>
        )
      }}
    </ShowQuery>
  )
}

interface VersionChoiceProperties {
  versions: readonly DatasetVersion[]
  shown: DatasetVersion
  /** Reads older versions. Undefined where all are there. */
  more: (() => void) | undefined
}

function VersionChoice({ versions, shown, more }: VersionChoiceProperties) {
  const navigate = useNavigate({ from })
  return (
    <div className="row">
      <label htmlFor="version">Version</label>
      <select
        id="version"
        value={shown.digest}
        onChange={({ target }) => void navigate({ to: '.', search: (search) => ({ ...search, version: target.value }) })}
      >
        {versions.map(({ digest, index, isLatest }) => (
          <option key={digest} value={digest}>
            v{index}
            {isLatest ? ' (latest)' : ''}
          </option>
        ))}
      </select>
      <span className="muted">
        published <Time value={shown.createdAt} />
      </span>
      {more && (
        <button type="button" onClick={more}>
          Older versions
        </button>
      )}
    </div>
  )
}
