import { identity } from '#app/content/identity.ts'
import { businessDay } from '#app/platform/time/business-day.ts'
import { homeCurrency } from '#app/billing/tax/tax.server.ts'
import { billing } from '#app/content/billing.server.ts'
import { decimalText } from '#app/platform/text/money.ts'
import { listEntries } from './month-files.server.ts'

/** Accounts of the standard chart SKR03, with four figures. Tax is booked on its own, so revenue has the key that switches automatic tax off. */
const accounts: Record<string, string> = {
  receivable: '1400',
  revenue: '8200',
  prepayments: '1718',
  tax: '1770',
  cash: '1200',
  fees: '4970',
  disputed: '1360',
  losses: '2400',
  unallocated: '1590',
  reminder_fees: '2700',
  rounding: '2700',
}

type Entries = Awaited<ReturnType<typeof listEntries>>
type Pair = { amount: number; debit: string; credit: string; entry: Entries[number] }

/** The journal of a month as a batch of bookings that DATEV imports (EXTF 700, category 21), in its character set. */
export async function datevFile(month: string): Promise<Buffer> {
  const pairs = pairsOf(await listEntries(month))
  const lines = [headOf(month), columns.join(';'), ...pairs.map(rowOf)]
  return Buffer.from(`${lines.join('\r\n')}\r\n`.replaceAll(/[^\r\n -\u00FF]/g, '?'), 'latin1')
}

const text = (value: string) => `"${value.replaceAll('"', '""')}"`

function headOf(month: string): string {
  const first = Temporal.PlainDate.from(`${month}-01`)
  const day = (date: Temporal.PlainDate) => date.toString().replaceAll('-', '')
  const last = first.add({ months: 1 }).subtract({ days: 1 })
  const made = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 17)
  const fields = [text('EXTF'), '700', '21', text('Buchungsstapel'), '13', made, '', text('WN'), text(''), text(''), '1001', '1']
  const span = [
    day(first.with({ month: 1 })),
    '4',
    day(first),
    day(last),
    text(`${identity.name} ${month}`),
    text(''),
    '1',
    '0',
    '0',
    text(homeCurrency()),
  ]
  return [...fields, ...span, '', text(''), '', '', text('03'), '', '', text(''), text('')].join(';')
}

const columns = [
  'Umsatz (ohne Soll/Haben-Kz)',
  'Soll/Haben-Kennzeichen',
  'WKZ Umsatz',
  'Kurs',
  'Basis-Umsatz',
  'WKZ Basis-Umsatz',
  'Konto',
  'Gegenkonto (ohne BU-Schlüssel)',
  'BU-Schlüssel',
  'Belegdatum',
  'Belegfeld 1',
  'Belegfeld 2',
  'Skonto',
  'Buchungstext',
]

function rowOf({ amount, debit, credit, entry: { currency, occurredAt, document, order, customer, cause } }: Pair): string {
  const day = businessDay(occurredAt, billing.zone)
  const hasRevenue = debit === accounts['revenue'] || credit === accounts['revenue']
  const told = [customer, order, cause.split(':')[0]].filter(Boolean).join(' ').slice(0, 60)
  return [
    decimalText(amount, currency).replace('.', ','),
    text('S'),
    text(currency),
    '',
    '',
    '',
    debit,
    credit,
    text(hasRevenue ? '40' : ''),
    `${day.slice(8)}${day.slice(5, 7)}`,
    text((document || order).slice(0, 36)),
    text(''),
    '',
    text(told),
  ].join(';')
}

/** Entries of a cause with several accounts, as bookings from one account to another. They sum up to the same. */
function pairsOf(entries: Entries): Pair[] {
  const groups = new Map<string, Entries>()
  for (const entry of entries) {
    const key = `${entry.cause} ${entry.order} ${entry.currency}`
    groups.set(key, [...(groups.get(key) ?? []), entry])
  }
  return [...groups.values()].flatMap(pairsOfCause)
}

function pairsOfCause(entries: Entries): Pair[] {
  const left = entries.map((entry) => ({ entry, rest: Math.abs(entry.amount), isDebit: entry.amount > 0 }))
  const pairs: Pair[] = []
  for (const debit of left.filter(({ isDebit }) => isDebit)) {
    for (const credit of left.filter(({ isDebit }) => !isDebit)) {
      const amount = Math.min(debit.rest, credit.rest)
      if (amount === 0) continue
      debit.rest -= amount
      credit.rest -= amount
      pairs.push({ amount, debit: accounts[debit.entry.account] ?? '', credit: accounts[credit.entry.account] ?? '', entry: debit.entry })
    }
  }
  return pairs
}
