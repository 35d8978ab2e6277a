import { type RawBuilder, sql } from 'kysely'
import { all, type Conditions, directionOf, idOf, type ListSource, pastCursor } from './list-search.server.ts'

type OneTable = {
  table: 'contacts' | 'consultations'
  of: 'contact' | 'consultation'
  isListed: RawBuilder<boolean>
  countAll: () => Promise<number>
}

/** A list whose conditions need one table only. */
export function oneTable({ table, of, isListed, countAll }: OneTable): ListSource {
  const rows = sql`${sql.table(table)} AS ${sql.ref(of)}`
  const matches = ({ narrow, wide }: Conditions) => sql`FROM ${rows} WHERE ${isListed} AND ${all([...narrow, ...wide])}`
  return {
    along({ order, ...search }, window) {
      const [direction, past] = [directionOf(search), pastCursor({ order, ...search })]
      return sql`(SELECT *, ${order.key} AS ordered FROM ${rows} WHERE ${isListed} AND ${past}
        ORDER BY ${order.key} ${direction}, ${idOf(order)} ${direction} LIMIT ${window}) AS ${sql.ref(of)}`
    },
    matches,
    few: matches,
    joined: sql`JOIN ${rows} ON ${sql.ref(`${of}.id`)} = page.id`,
    newest: (window) =>
      sql`(SELECT * FROM ${sql.table(table)} AS ${sql.ref(of)} WHERE ${isListed} ORDER BY created_at DESC, id DESC LIMIT ${window}) AS ${sql.ref(of)}`,
    countAll,
  }
}
