import type { Database } from '@heddle/datastore'
import type { ListProjects } from './parquet-export-settings.ts'

const pageSize = 500

export function sqlListProjects(database: Database): ListProjects {
  return async function* listProjects(signal) {
    let after = ''
    for (let found = pageSize; found === pageSize && !signal.aborted;) {
      const page = await database.selectFrom('projects').select('id').where('id', '>', after).orderBy('id').limit(pageSize).execute()
      for (const { id } of page) yield id
      found = page.length
      after = page.at(-1)?.id ?? after
    }
  }
}
