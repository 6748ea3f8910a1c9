import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { isApiError, type ProjectKey } from '@heddle/core-api'
import { useMemo } from 'react'
import { client } from '../../app/client.ts'
import { readAgain } from '../../app/read-again.ts'
import { useProject } from '../../app/use-project.ts'
import { Failure } from '../../components/failure.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { readableName } from '../../components/readable-name.ts'
import { ShowQuery } from '../../components/show-query.tsx'
import { Time } from '../../components/time.tsx'
import { AddKey } from './add-key.tsx'
import { MadeByKeys } from './made-by-keys.tsx'
import { keysQuery } from './keys-queries.ts'
import { stateOfKey } from './state-of-key.ts'

/** API keys of the project, for its administrators. */
export function Keys() {
  const { id } = useProject()
  const query = useInfiniteQuery(keysQuery(id))
  const keys = useMemo(() => query.data?.pages.flatMap((page) => page.keys), [query.data])
  const isForbidden = isApiError(query.error) && query.error.status === 403
  return (
    <section aria-labelledby="keys">
      <h2 id="keys">API keys</h2>
      {isForbidden ? (
        <p>
          Only keys with the role admin in this project may see and create keys. `heddle keys list` shows them on the machine of the server.
        </p>
      ) : (
        <>
          <p className="muted">Keys that reach further than yours are not listed. Of a key the server stores only a hash.</p>
          <ShowQuery query={{ ...query, data: keys }} what="the keys of the project">
            {(all) => <ListedKeys keys={all} />}
          </ShowQuery>
          <MoreButton query={query}>Show more keys</MoreButton>
          <MadeByKeys />
          <AddKey />
        </>
      )}
    </section>
  )
}

const reaches: Record<ProjectKey['reach'], string> = {
  project: 'this project',
  projects: 'this project and others',
  entity: 'every project of the entity',
  all: 'every project',
}

function ListedKeys({ keys }: { keys: readonly ProjectKey[] }) {
  const { id } = useProject()
  const queries = useQueryClient()
  const revoke = useMutation({
    mutationFn: (wanted: { key_id: string; ends_made: boolean }) => client.projectKeys.revoke({ project_id: id, ...wanted }),
    onSuccess: () => readAgain(queries, ['keys', id]),
  })
  function ask({ id: key, name, reach }: ProjectKey) {
    const question = `Revoke the key ${name}? Programs that use it will be refused. It gives access to ${reaches[reach]}. This cannot be undone.`
    if (!window.confirm(question)) return
    const ends_made = window.confirm('End the public links, monitors and webhooks that were made with this key as well? Cancel keeps them.')
    revoke.mutate({ key_id: key, ends_made })
  }
  if (keys.length === 0) return <p>No keys are limited to this project. Create one below.</p>
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label="Keys">
      <table className="whole-words">
        <thead>
          <tr>
            <th scope="col">Name and key</th>
            <th scope="col">Role</th>
            <th scope="col">Reaches</th>
            <th scope="col">Last used</th>
            <th scope="col">Expires</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => {
            const state = stateOfKey(key, Date.now())
            return (
              <tr key={key.id}>
                <td>
                  {key.name} {key.is_own && <span className="tag">yours</span>}
                  <br />
                  <code>{key.prefix}…</code>
                </td>
                <td>
                  {key.role}
                  {key.scopes.length > 0 && `, only ${key.scopes.join(' and ')}`}
                </td>
                <td>{reaches[key.reach]}</td>
                <td>{key.last_used_at === null ? 'never' : <Time value={key.last_used_at} />}</td>
                <td>{key.expires_at === null ? 'never' : <Time value={key.expires_at} />}</td>
                <td>
                  {state}{' '}
                  {state === 'active' && !key.is_own && (
                    <button
                      type="button"
                      aria-label={`Revoke the key ${readableName(key.name)}`}
                      disabled={revoke.isPending}
                      onClick={() => ask(key)}
                    >
                      Revoke
                    </button>
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <Failure error={revoke.error} />
      {revoke.data && revoke.data.made.length > 0 && (
        <p role="status">
          {revoke.data.made.length} {revoke.data.made.length === 1 ? 'thing that was' : 'things that were'} made with the key{' '}
          {revoke.data.name}{' '}
          {revoke.data.made.every(({ is_ended }) => is_ended) ? 'ended with it.' : 'will keep working; they are listed below.'}
        </p>
      )}
    </div>
  )
}
