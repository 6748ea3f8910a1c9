import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useProject } from '../../app/use-project.ts'
import { Empty } from '../../components/empty.tsx'
import { ShowQuery } from '../../components/show-query.tsx'
import { Time } from '../../components/time.tsx'
import { VersionLabels } from '../library/version-labels.tsx'
import type { NamedVersion } from './named-versions.ts'
import { maxVersions, namedVersionsQuery } from './registry-queries.ts'

/** The versions of the project that registries hold, and those with an alias such as `production`. */
export function RegistryPage() {
  const { id } = useProject()
  return (
    <>
      <h1>Registry</h1>
      <ShowQuery query={useQuery(namedVersionsQuery(id))} what="the versions">
        {({ versions, hasMore }) => (
          <>
            {hasMore && <p className="notice">Only the newest {maxVersions.toLocaleString('en')} versions were looked through.</p>}
            {versions.length === 0 ? (
              <Empty title="No named versions yet">
                Give a version an alias such as production, or link it to a registry, from your code: it is then listed here.
              </Empty>
            ) : (
              <Versions versions={versions} />
            )}
          </>
        )}
      </ShowQuery>
    </>
  )
}

function Versions({ versions }: { versions: readonly NamedVersion[] }) {
  const { entity, project } = useProject()
  return (
    <div className="scroll">
      <table aria-label="Named versions">
        <thead>
          <tr>
            <th scope="col">Version</th>
            <th scope="col">Aliases</th>
            <th scope="col">Registries</th>
          </tr>
        </thead>
        <tbody>
          {versions.map(({ objectId, isOp, digest, index, aliases, links }) => (
            <tr key={`${isOp} ${objectId} ${digest}`}>
              <td>
                <Link
                  to="/$entity/$project/$kind/$object"
                  params={{ entity, project, kind: isOp ? 'ops' : 'objects', object: objectId }}
                  search={{ version: digest }}
                >
                  {objectId} v{index}
                </Link>
              </td>
              <td>
                <VersionLabels aliases={aliases} tags={null} />
              </td>
              <td>
                {links.map((link) => (
                  <div key={`${link.project_id} ${link.portfolio_name}`}>
                    {link.project_id}, {link.portfolio_name} v{link.version_index} <VersionLabels aliases={link.aliases} tags={null} />
                    <span className="muted">
                      linked by {link.wb_user_id}, <Time value={link.created_at} />
                    </span>
                  </div>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
