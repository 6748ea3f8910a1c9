import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { client } from '../../app/client.ts'
import { NotFound } from '../../app/page-error.tsx'
import { useProject } from '../../app/use-project.ts'
import { Empty } from '../../components/empty.tsx'
import { LongText } from '../../components/long-text.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { ShowQuery } from '../../components/show-query.tsx'
import { Time } from '../../components/time.tsx'
import { AliasHistory } from './alias-history.tsx'
import { CallsOfVersion } from './calls-of-version.tsx'
import { findKind } from './library-kinds.ts'
import { refOf, versionsQuery, versionTextQuery } from './library-queries.ts'
import { ShowDiff } from './show-diff.tsx'
import { VersionLabels } from './version-labels.tsx'

const from = '/$entity/$project/$kind/$object'

interface Version {
  digest: string
  version_index: number
  created_at: string
  is_latest: number
  leaf_object_class: string | null
  size_bytes: number | null
  wb_user_id: string | null
  tags: string[] | null
  aliases: string[] | null
}

/** An object of the library: a version, its differences from another, and the calls that were made with it. */
export function ObjectPage() {
  const project = useProject()
  const { kind, object } = useParams({ from })
  const { version } = useSearch({ from })
  const isOp = kind === 'ops'
  const query = useInfiniteQuery(versionsQuery(client, project, { name: object, isOp }))
  const known = findKind(kind)
  if (!known) return <NotFound />
  return (
    <>
      <h1>{object}</h1>
      <ShowQuery query={{ ...query, data: query.data?.pages.flat() }} what="versions">
        {(versions) => {
          const shown =
            versions.find(({ digest }) => digest === version) ?? versions.find(({ is_latest }) => is_latest === 1) ?? versions[0]
          if (!shown) return <Empty title={`No ${known.one} named "${object}"`}>It may have been deleted, or it has another name.</Empty>
          return (
            <>
              {version !== undefined && version !== shown.digest && (
                <p role="status" className="notice">
                  Version {version} is not among the versions that are loaded; the latest is shown.
                </p>
              )}
              <VersionChoices versions={versions} shown={shown} />
              <MoreButton query={query}>Older versions</MoreButton>
              <VersionFacts shown={shown} isOp={isOp} name={object} />
              <AliasHistory key={object} name={object} kind={kind} versions={versions} />
              <VersionText versions={versions} shown={shown} isOp={isOp} name={object} />
              <h2>Where used</h2>
              <CallsOfVersion name={object} digest={shown.digest} isOp={isOp} />
            </>
          )
        }}
      </ShowQuery>
    </>
  )
}

function VersionChoices({ versions, shown }: { versions: readonly Version[]; shown: Version }) {
  const navigate = useNavigate({ from })
  const { against = '' } = useSearch({ from })
  const titleOf = ({ version_index, is_latest }: Version) => `v${version_index}${is_latest === 1 ? ' (latest)' : ''}`
  return (
    <div className="row">
      <label htmlFor="version">Version</label>
      <select
        id="version"
        value={shown.digest}
        onChange={({ target }) => void navigate({ to: '.', search: (search) => ({ ...search, version: target.value }) })}
      >
        {versions.map((one) => (
          <option key={one.digest} value={one.digest}>
            {titleOf(one)}
          </option>
        ))}
      </select>
      <label htmlFor="against">compared with</label>
      <select
        id="against"
        value={against}
        onChange={({ target }) => void navigate({ to: '.', search: (search) => ({ ...search, against: target.value || undefined }) })}
      >
        <option value="">no other version</option>
        {versions
          .filter(({ digest }) => digest !== shown.digest)
          .map((one) => (
            <option key={one.digest} value={one.digest}>
              {titleOf(one)}
            </option>
          ))}
      </select>
    </div>
  )
}

function VersionFacts({ shown, isOp, name }: { shown: Version; isOp: boolean; name: string }) {
  const project = useProject()
  const { created_at, wb_user_id, leaf_object_class, size_bytes, aliases, tags, digest } = shown
  return (
    <>
      <p className="muted">
        Published <Time value={created_at} />
        {wb_user_id !== null && wb_user_id !== '' && ` by ${wb_user_id}`}
        {leaf_object_class !== null && `, class ${leaf_object_class}`}
        {size_bytes !== null && `, ${size_bytes.toLocaleString('en')} bytes`}
      </p>
      <p>
        <VersionLabels aliases={aliases} tags={tags} />
      </p>
      <LongText text={refOf(project, { name, digest, isOp })} label="Reference" />
    </>
  )
}

interface VersionTextProperties {
  versions: readonly Version[]
  shown: Version
  isOp: boolean
  name: string
}

function VersionText({ versions, shown, isOp, name }: VersionTextProperties) {
  const project = useProject()
  const { against } = useSearch({ from })
  const other = versions.find(({ digest }) => digest === against && digest !== shown.digest)
  const text = useQuery(versionTextQuery(client, project, { name, digest: shown.digest, isOp }))
  const otherText = useQuery({
    ...versionTextQuery(client, project, { name, digest: other?.digest ?? '', isOp }),
    enabled: other !== undefined,
  })
  if (other) {
    return (
      <>
        <h2>
          From v{other.version_index} to v{shown.version_index}
        </h2>
        <ShowQuery query={otherText} what={`v${other.version_index}`}>
          {(before) => (
            <ShowQuery query={text} what={`v${shown.version_index}`}>
              {(after) => <ShowDiff before={before} after={after} />}
            </ShowQuery>
          )}
        </ShowQuery>
      </>
    )
  }
  return (
    <>
      <h2>{isOp ? 'Source code' : 'Value'}</h2>
      <ShowQuery query={text} what={`v${shown.version_index}`}>
        {(value) =>
          value === '' ? (
            <p className="muted">No source code was sent with this op.</p>
          ) : (
            <LongText text={value} label={isOp ? 'Source code' : 'Value'} />
          )
        }
      </ShowQuery>
    </>
  )
}
