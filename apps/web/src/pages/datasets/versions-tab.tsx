import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { exactClient as client } from '../../lib/server/client.ts'
import { useProject } from '../../lib/use-project.ts'
import { MoreButton, type MorePages } from '../../ui/table/more-button.tsx'
import { Time } from '../../ui/time/time.tsx'
import { Tag } from '../../ui/badge.tsx'
import { ListTable } from '../../ui/list-table.tsx'
import { versionCountsQuery } from '../../features/datasets/dataset-queries.ts'
import type { DatasetVersion } from '../../features/datasets/dataset-versions.ts'
import { numberColumn, textColumn } from '../../ui/table/column-kinds.tsx'

const from = '/$entity/$project/datasets/$object'

interface Properties {
  versions: readonly DatasetVersion[]
  shown: DatasetVersion
  /** Reads older ones. */
  more: MorePages
}

/** The versions of a dataset, the newest first. */
export function VersionsTab({ versions, shown, more }: Properties) {
  const { id } = useProject()
  const counts = useQuery(versionCountsQuery(client, id, versions)).data
  return (
    <div>
      <ListTable<DatasetVersion>
        label="Versions"
        edge={false}
        rowHeight={44}
        rows={[...versions]}
        rowId={({ digest }) => digest}
        picked={({ digest }) => digest === shown.digest}
        columns={[
          {
            id: 'version',
            title: 'Version',
            width: '108px',
            cell: ({ digest, index, isLatest }) => (
              <span className="flex items-center gap-2">
                <Link
                  from={from}
                  to="."
                  search={(search) => ({ ...search, version: digest, tab: undefined, row: undefined })}
                  className="font-medium"
                >
                  v{index}
                </Link>
                {isLatest && <Tag>latest</Tag>}
              </span>
            ),
          },
          textColumn('note', 'Description', 'auto', ({ description }) => description, { look: 'quiet' }),
          textColumn('digest', 'Digest', '116px', ({ digest }) => digest, { look: 'mono' }),
          numberColumn('rows', 'Rows', '72px', ({ tableDigest }) => counts?.get(tableDigest ?? '')),
          {
            id: 'changes',
            title: 'Changes',
            width: '96px',
            align: 'right',
            cell: ({ digest, index }) => {
              const before = versions.find((one) => one.index === index - 1)
              return (
                before && (
                  <Link from={from} to="." search={(search) => ({ ...search, version: digest, against: before.digest, tab: 'changes' })}>
                    Since v{before.index}
                  </Link>
                )
              )
            },
          },
          {
            id: 'created',
            title: 'Created',
            width: '128px',
            align: 'right',
            cell: ({ createdAt }) => (
              <span className="text-fg-2">
                <Time value={createdAt} />
              </span>
            ),
          },
        ]}
      />
      <div className="p-3">
        <MoreButton query={more}>Older versions</MoreButton>
      </div>
    </div>
  )
}
