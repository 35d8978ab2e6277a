import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { apiQuery } from '#app/platform/browser/api.ts'
import { Sparkline } from '#app/leads/figures/stat-cards.tsx'
import { moneyText } from '#app/platform/text/money.ts'
import { countOf } from '#app/ui/amount.ts'
import { Card } from '#app/ui/card.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Cell, HeadCell, Table, TableRow } from '#app/ui/table.tsx'
import { formatMonth } from '#app/ui/moment.ts'
import { BILLING_FIGURES, billingFigures, type BillingFigures as Figures } from './figures.ts'

/** Money first: this month, what is open and overdue, proposals and deposits; the months, sources and services below. */
export function BillingFigures() {
  const found = useQuery(apiQuery(BILLING_FIGURES, billingFigures))
  if (found.isError) return <Failed error={found.error} retry={found.refetch} />
  const figures = found.data
  const money = (amount: number) => moneyText(amount, figures?.currency ?? 'USD')
  const revenue = figures?.months.map(revenueOf)
  const now = figures?.months.at(-1)
  return (
    <section aria-label="Billing" className="mb-3 grid grid-cols-1 gap-3">
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Figure label="Revenue this month" value={now && money(revenueOf(now))} to="/admin/billing?tab=invoices" months={revenue}>
          {now && `${money(now.paid)} paid, before tax`}
        </Figure>
        <Figure label="Unpaid" value={figures && money(figures.unpaid.owed)} to="/admin/billing?tab=invoices&state=unpaid">
          {figures && `${money(figures.unpaid.overdue)} overdue, with tax`}
        </Figure>
        <Figure label="Open proposals" value={figures && money(figures.proposals.net)} to="/leads">
          {figures && `${countOf(figures.proposals.count, 'proposal', 'proposals')}, before tax`}
        </Figure>
        <Figure label="Deposits awaited" value={figures && money(figures.deposits.gross)} to="/admin/billing?kind=deposit&state=unpaid">
          {figures && `${countOf(figures.deposits.count, 'deposit', 'deposits')}, with tax`}
        </Figure>
      </dl>
      {figures && figures.transfers > 0 && (
        <p role="status" className="text-small">
          <Link to="/admin/billing?tab=bank" className="link">
            {countOf(figures.transfers, 'payment of a bank statement waits', 'payments of bank statements wait')} for your decision
          </Link>
        </p>
      )}
      {/* There before its figures, so that nothing below moves. */}
      <details className="text-small">
        <summary className="w-fit py-1.5 text-muted hover:text-ink">Revenue by month, source and service</summary>
        {figures ? (
          <div className="grid grid-cols-1 gap-3 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
            <Months figures={figures} />
            <div className="grid grid-cols-1 content-start gap-3">
              <Shares title="By source" shares={figures.sources} currency={figures.currency} />
              <Shares title="By service" shares={figures.services} currency={figures.currency} />
            </div>
          </div>
        ) : (
          <Loading>Loading the revenue...</Loading>
        )}
      </details>
    </section>
  )
}

const revenueOf = ({ paid, open, overdue }: Figures['months'][number]) => paid + open + overdue

type FigureProps = {
  label: string
  value: string | undefined
  to: string
  /** Its trend: the same figure of the last months. */
  months?: number[] | undefined
  children: React.ReactNode
}

/** As the figures of leads below look. */
function Figure({ label, value, to, months, children }: FigureProps) {
  return (
    <Card pad="none" className="@container relative grid min-w-0 content-start gap-0.5 px-4 py-2.5">
      <dt className="text-fine font-semibold text-muted">{label}</dt>
      <dd className="grid min-w-0 gap-0.5">
        <Link to={to} className="truncate font-mono text-h3 leading-tight font-medium tracking-tight tabular-nums hover:underline">
          {value ?? '…'}
        </Link>
        <span className="min-h-[2lh] text-fine text-muted lg:min-h-0">{children ?? '…'}</span>
      </dd>
      {months && (
        <Sparkline line={months.map((sum) => Math.max(0, sum))} className="absolute top-2.5 right-4 h-8 w-24 @max-[15rem]:hidden" />
      )}
    </Card>
  )
}

function Months({ figures: { months, currency } }: { figures: Figures }) {
  const most = Math.max(1, ...months.map(revenueOf))
  return (
    <Table caption="Revenue by month">
      <thead>
        <tr>
          <HeadCell>Month</HeadCell>
          <HeadCell kind="number">Paid</HeadCell>
          <HeadCell kind="number">Open</HeadCell>
          <HeadCell kind="number">Overdue</HeadCell>
        </tr>
      </thead>
      <tbody>
        {months.toReversed().map(({ month, paid, open, overdue }) => (
          <TableRow key={month}>
            <Cell>
              {formatMonth(month)}
              <svg aria-hidden="true" viewBox="0 0 100 2" preserveAspectRatio="none" className="block h-1 w-full">
                <rect
                  width={(Math.max(0, revenueOf({ month, paid, open, overdue })) / most) * 100}
                  height="2"
                  className="fill-grain-text"
                />
              </svg>
            </Cell>
            <Cell kind="number">{moneyText(paid, currency)}</Cell>
            <Cell kind="number">{open === 0 ? '-' : moneyText(open, currency)}</Cell>
            <Cell kind="number">{overdue === 0 ? '-' : moneyText(overdue, currency)}</Cell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  )
}

function Shares({ title, shares, currency }: { title: string; shares: Figures['sources']; currency: string }) {
  return (
    <Card>
      <h3 className="text-small font-semibold">{title}</h3>
      {shares.length === 0 && <p className="text-small text-muted">No revenue in the last 12 months.</p>}
      <dl className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-6 gap-y-1 text-small">
        {shares.map(({ name, net }) => (
          <div key={name} className="contents">
            <dt className="truncate">{name}</dt>
            <dd className="text-right font-mono">{moneyText(net, currency)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
