import { sql } from 'kysely'
import { z } from 'zod'
import { billing } from '#app/content/billing.server.ts'
import { TEST_SERIES } from '#app/content/settings/sections.server.ts'
import { businessDay } from '#app/platform/time/business-day.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import { queryRow } from '#app/platform/database/sql.server.ts'

export type Numbered = { number: string; series: string; year: number; serial: number; issuedOn: string }

/**
 * Takes the next number of the year. The counter stays locked until the transaction ends, so a number is never missing and never used twice;
 * take it last, because others wait for it.
 */
export async function nextNumber(trx: Trx, isTest: boolean, at: Date): Promise<Numbered> {
  const today = businessDay(at, billing.zone)
  const series = isTest ? TEST_SERIES : billing.prefix
  const year = Number(today.slice(0, 4))
  // The clock of another process may already be a day ahead.
  const { serial, issuedOn } = await queryRow(
    trx,
    { serial: z.int(), issuedOn: z.string() },
    sql`INSERT INTO invoice_counters AS counter (series, year, last, last_on) VALUES (${series}, ${year}, 1, ${today}::date)
      ON CONFLICT (series, year) DO UPDATE SET last = counter.last + 1, last_on = greatest(counter.last_on, excluded.last_on)
      RETURNING last AS serial, last_on AS "issuedOn"`,
  )
  return { number: `${series}${year}-${String(serial).padStart(4, '0')}`, series, year, serial, issuedOn }
}
