import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Database, Trx } from './db.server.ts'

/**
 * Runs a query that is written as SQL, and checks its rows. A missing column, or one of another type, is a bug of the query, so it throws.
 * For bounded lists only: it costs about a microsecond per value. Making the schema costs a hundred, so queries of every request pass one.
 */
export async function queryRows<Columns extends z.ZodRawShape>(
  connection: Database | Trx,
  columns: Columns | z.ZodObject<Columns>,
  query: RawBuilder<unknown>,
): Promise<z.output<z.ZodObject<Columns>>[]> {
  const { rows } = await query.execute(connection)
  const row = columns instanceof z.ZodObject ? columns : z.object(columns)
  return rows.map((each) => row.parse(each))
}

/** Like `queryRows`, for a query that always returns one row. */
export async function queryRow<Columns extends z.ZodRawShape>(
  connection: Database | Trx,
  columns: Columns,
  query: RawBuilder<unknown>,
): Promise<z.output<z.ZodObject<Columns>>> {
  const { rows } = await query.execute(connection)
  return z.object(columns).parse(rows[0])
}

/**
 * A condition for WHERE and CASE, in parentheses, so that an OR in it joins nothing beside it. The database refuses one that is not boolean, so its type
 * needs no check here.
 */
export function condition(text: TemplateStringsArray, ...values: unknown[]): RawBuilder<boolean> {
  return sql<boolean>`(${sql(text, ...values)})`
}

/** The number of rows. Both drivers return an `int` as a number. */
export const rowCount = sql<number>`count(*)::int`

/** The time of the database's clock, which all processes share, at the start of the transaction. */
export const now = sql<Date>`now()`

export function secondsFromNow(seconds: number): RawBuilder<Date> {
  return sql<Date>`now() + ${seconds} * interval '1 second'`
}

export function daysAgo(days: number): RawBuilder<Date> {
  return sql<Date>`now() - ${days} * interval '1 day'`
}
