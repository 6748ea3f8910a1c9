import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useBlocker, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { DatabaseZap, FlaskConical, History, Plus, SearchX } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { countText } from '../../lib/texts/count-text.ts'
import { exactClient as client } from '../../lib/server/client.ts'
import { useProject } from '../../lib/use-project.ts'
import { useConfirm } from '../../ui/confirm/confirm.tsx'
import { Failure } from '../../ui/states/failure.tsx'
import type { MorePages } from '../../ui/table/more-button.tsx'
import { Pending } from '../../ui/states/pending.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { lazyDialog, lazyPart } from '../../ui/lazy-part.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Select } from '../../ui/select.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { datasetVersionsQuery, rowCountQuery } from '../../features/datasets/dataset-queries.ts'
import { type DatasetTab, datasetTabs } from './dataset-tabs.ts'
import type { DatasetVersion } from '../../features/datasets/dataset-versions.ts'
import { DatasetsList } from './datasets-list.tsx'
import { addRows, countEdits, noEdits } from './rows/row-edits.ts'
import { RowsTab } from './rows/rows-tab.tsx'
import { useSaveVersion } from './use-save-version.ts'

// What is behind another tab or a button is fetched when it is shown.
const DatasetChanges = lazyPart(() => import('./dataset-changes.tsx').then(({ DatasetChanges }) => DatasetChanges))
const DatasetUses = lazyPart(() => import('./dataset-uses.tsx').then(({ DatasetUses }) => DatasetUses))
const SchemaTab = lazyPart(() => import('./schema-tab.tsx').then(({ SchemaTab }) => SchemaTab))
const VersionsTab = lazyPart(() => import('./versions-tab.tsx').then(({ VersionsTab }) => VersionsTab))
const AddRows = lazyDialog(() => import('./add-rows.tsx').then(({ AddRows }) => AddRows))
const ImportDataset = lazyDialog(() => import('./import-dataset.tsx').then(({ ImportDataset }) => ImportDataset))
const NewRunDialog = lazyDialog(() => import('../../features/new-run/new-run-dialog.tsx').then(({ NewRunDialog }) => NewRunDialog))

const from = '/$entity/$project/datasets/$object'

/** One dataset next to the list: the rows of a version, its versions, their differences, and its uses. */
export function DatasetPage() {
  const project = useProject()
  const { object } = useParams({ from })
  const { version } = useSearch({ from })
  const [isImporting, setIsImporting] = useState(false)
  const query = useInfiniteQuery(datasetVersionsQuery(client, project.id, object))
  return (
    <div data-flush="" className="flex h-full min-h-0">
      <DatasetsList shown={object} onNew={() => setIsImporting(true)} />
      <div className="flex min-w-0 grow flex-col">
        <ShowQuery query={{ ...query, data: query.data?.pages.flat() }} what="versions">
          {(versions) => {
            const [latest] = versions
            if (!latest)
              return (
                <EmptyState icon={SearchX} title={`No dataset named "${object}"`}>
                  It may have been deleted or renamed.
                </EmptyState>
              )
            const shown = versions.find(({ digest }) => digest === version) ?? versions.find(({ isLatest }) => isLatest) ?? latest
            return (
              <>
                {version !== undefined && shown.digest !== version && (
                  <Notice className="m-3" tone="warning" title={`Version ${version} is not among those loaded; the latest is shown.`} />
                )}
                <Version key={shown.digest} object={object} versions={versions} shown={shown} more={query} />
              </>
            )
          }}
        </ShowQuery>
      </div>
      {isImporting && <ImportDataset open onClose={() => setIsImporting(false)} />}
    </div>
  )
}

interface VersionProperties {
  object: string
  versions: readonly DatasetVersion[]
  shown: DatasetVersion
  more: MorePages
}

const hasRows = (version: DatasetVersion): version is DatasetVersion & { tableDigest: string } => version.tableDigest !== undefined

/** A version, with the unsaved changes of its rows. */
function Version({ object, versions, shown, more }: VersionProperties) {
  const place = useProject()
  const { id } = place
  const { tab = 'rows' } = useSearch({ from })
  const navigate = useNavigate({ from })
  const [edits, setEdits] = useState(noEdits)
  const [isAdding, setIsAdding] = useState(false)
  const [isEvaluating, setIsEvaluating] = useState(false)
  const save = useSaveVersion(shown, edits, () => setEdits(noEdits))
  const count = useQuery({ ...rowCountQuery(client, id, shown.tableDigest ?? ''), enabled: shown.tableDigest !== undefined })
  const unsaved = countEdits(edits)
  useKeepEdits(unsaved > 0)
  const before = versions.find(({ index }) => index < shown.index)
  return (
    <>
      <VersionHead versions={versions} shown={shown}>
        {unsaved > 0 ? (
          <>
            <Badge tone="amber">{countText(unsaved, 'unsaved change')}</Badge>
            <Button disabled={save.isPending} onClick={() => setEdits(noEdits)}>
              Discard
            </Button>
            <Button icon={Plus} onClick={() => setIsAdding(true)}>
              Add rows
            </Button>
            <Button variant="primary" loading={save.isPending} onClick={() => save.mutate()}>
              Save as v{Math.max(...versions.map(({ index }) => index)) + 1}
            </Button>
          </>
        ) : (
          hasRows(shown) && (
            <>
              <Button icon={FlaskConical} aria-haspopup="dialog" onClick={() => setIsEvaluating(true)}>
                Evaluate
              </Button>
              <Button variant="primary" icon={Plus} onClick={() => setIsAdding(true)}>
                Add rows
              </Button>
            </>
          )
        )}
      </VersionHead>
      {save.isError && (
        <div className="mx-3">
          <Failure error={save.error} before="Not saved; your changes are still here." />
        </div>
      )}
      <Tabs
        label="Parts of the dataset"
        value={tab}
        onChange={(value) => void navigate({ to: '.', search: (search) => ({ ...search, tab: tabOf(value) }), ignoreBlocker: true })}
        tabs={[
          { id: 'rows', label: 'Rows', count: count.data?.toLocaleString('en') },
          { id: 'versions', label: 'Versions', count: `${versions.length}${more.hasNextPage ? '+' : ''}`, icon: History },
          { id: 'changes', label: 'Changes' },
          { id: 'uses', label: 'Used by' },
          { id: 'schema', label: 'Schema' },
        ]}
      >
        <Suspense fallback={<Pending what="this part" />}>
          {(tab === 'rows' || tab === 'schema') &&
            (hasRows(shown) ? (
              <ShowQuery query={count} what="rows">
                {(count) =>
                  tab === 'schema' ? (
                    <SchemaTab version={shown} count={count} />
                  ) : (
                    <RowsTab version={shown} before={before} count={count} edits={edits} onEdits={setEdits} />
                  )
                }
              </ShowQuery>
            ) : (
              <EmptyState icon={DatabaseZap} title="The rows are in another project">
                This dataset names a table that is not here.
              </EmptyState>
            ))}
          {tab === 'versions' && <VersionsTab versions={versions} shown={shown} more={more} />}
          {tab === 'changes' && <DatasetChanges versions={versions} shown={shown} />}
          {tab === 'uses' && <DatasetUses objectId={object} version={shown} />}
        </Suspense>
      </Tabs>
      {isAdding && <AddRows onAdd={(rows) => setEdits((now) => addRows(now, rows))} onClose={() => setIsAdding(false)} />}
      {isEvaluating && <NewRunDialog project={place} dataset={object} onClose={() => setIsEvaluating(false)} />}
    </>
  )
}

const tabOf = (value: string): DatasetTab | undefined => datasetTabs.find((one) => one === value && one !== 'rows')

/** Requires confirmation before changes are lost. */
function useKeepEdits(hasEdits: boolean) {
  const confirm = useConfirm()
  useBlocker({
    shouldBlockFn: async () => !(await confirm({ text: 'Changes to the rows are not saved. Discard them?', confirm: 'Discard' })),
    enableBeforeUnload: hasEdits,
    disabled: !hasEdits,
  })
}

interface HeadProperties {
  versions: readonly DatasetVersion[]
  shown: DatasetVersion
  /** Actions. */
  children: ReactNode
}

function VersionHead({ versions, shown, children }: HeadProperties) {
  const project = useProject()
  const navigate = useNavigate({ from })
  return (
    <PageHead
      trail={[
        <Link key="datasets" to="/$entity/$project/datasets" params={project}>
          Datasets
        </Link>,
      ]}
      title={shown.name}
      state={
        <Select
          label="Version"
          inside
          choices={versions.map(({ digest, index, isLatest }) => ({
            value: digest,
            label: `v${index}`,
            ...(isLatest && { note: 'latest' }),
          }))}
          value={shown.digest}
          onChange={(digest) => void navigate({ to: '.', search: (search) => ({ ...search, version: digest, row: undefined }) })}
        />
      }
      actions={children}
    />
  )
}
