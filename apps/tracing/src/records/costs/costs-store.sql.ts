import { inParts, type ScopedAnalytical, type ScopedDatabase, type Tables } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { timeSlices } from '@heddle/service-kit'
import type { Selectable } from 'kysely'
import { compileRowSelection, type SelectedRow } from '../../query/compile/select-rows.ts'
import { costColumns } from './cost-columns.ts'
import type { CostRow } from './cost-row.ts'
import type { CostsStore } from './costs-store.ts'
import type { PriceDetails } from './price-tiers.ts'

/** Rows of one statement that inserts: each has 13 values, which takes about 1 ms. */
const rowsAtOnce = 100

interface CostsStoreDeps {
  database: ScopedDatabase
  /** Evaluates queries: the query language is compiled for this store alone, and a project has few rows. */
  analytical: ScopedAnalytical
}

export function sqlCostsStore({ database, analytical }: CostsStoreDeps): CostsStore {
  async function list(project: ProjectScope): Promise<CostRow[]> {
    const rows = await database
      .of(project)
      .selectFrom('costs')
      .selectAll()
      .where('project_id', '=', project.id)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    return rows.map(toCostRow)
  }

  return {
    async count(project) {
      const row = await database
        .of(project)
        .selectFrom('costs')
        .select((select) => select.fn.countAll().as('rows'))
        .where('project_id', '=', project.id)
        .executeTakeFirstOrThrow()
      return Number(row.rows)
    },

    async insert(project, rows) {
      await database
        .of(project)
        .transaction()
        .execute(async (transaction) => {
          const pace = timeSlices.begin()
          for (const some of inParts(rows, rowsAtOnce)) {
            const turn = pace()
            if (turn) await turn
            const values = some.map(({ pricing_level: _level, pricing_level_id: _id, details, ...row }) => ({
              ...row,
              details: details === null ? null : JSON.stringify(details),
              project_id: project.id,
            }))
            await transaction.insertInto('costs').values(values).execute()
          }
        })
    },

    async select(project, selection) {
      const statement = compileRowSelection(costColumns, selection)
      const rows = await list(project)
      if (statement === undefined || rows.length === 0) return rows
      const selected = await analytical.of(project).rows<SelectedRow>(statement(rows))
      return selected.flatMap(({ at }) => rows[at] ?? [])
    },

    async findByModels(projects, models) {
      const found: CostRow[] = []
      const [scope] = projects
      if (!scope) return found
      const ids = projects.map(({ id }) => id)
      for (const some of inParts(possible(models))) {
        const rows = await database
          .of(scope)
          .selectFrom('costs')
          .selectAll()
          .where('project_id', 'in', ids)
          .where('llm_id', 'in', some)
          .execute()
        found.push(...rows.map(toCostRow))
      }
      return found
    },

    async delete(project, ids) {
      for (const some of inParts(possible(ids))) {
        await database.of(project).deleteFrom('costs').where('project_id', '=', project.id).where('id', 'in', some).execute()
      }
    },
  }
}

/** A text with NUL is in no row, and PostgreSQL refuses to look for one. */
function possible(texts: readonly string[]): string[] {
  return texts.filter((text) => !text.includes('\0'))
}

function toCostRow({ project_id, details, ...row }: Selectable<Tables['costs']>): CostRow {
  const parsed = details === null ? null : (JSON.parse(details) as PriceDetails)
  return { ...row, details: parsed, pricing_level: 'project', pricing_level_id: project_id }
}
