import { Link } from 'react-router'
import { AccountSection } from '#app/account/settings/account-section.tsx'
import { MARKETPLACE } from '#app/datasets/catalog/addresses.ts'
import { invoiceLabel, INVOICES } from '#app/billing/invoices/invoice.ts'
import { numberText, percentText } from '#app/platform/text/english-number.ts'
import { RecordFacts } from '#app/ui/admin/record.tsx'
import { viewText } from '#app/ui/admin/view.ts'
import { formatDay, formatMoment, formatSpan } from '#app/ui/moment.ts'
import { Cell, HeadCell, Table, TableRow } from '#app/ui/table.tsx'
import { CorrectInvoice } from './correct-invoice.tsx'
import { Customer, kindLabels, money, paymentPath, providerLabels } from './look.tsx'
import { OrderRefunds } from './order-refunds.tsx'
import type { OrderRecord } from './order-record.ts'

type Props = { order: OrderRecord }

/** The parts of an order, the most asked ones first. */
export function OrderParts({ order, mayWrite }: Props & { mayWrite: boolean }) {
  return (
    <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-2">
      <div className="grid grid-cols-1 gap-6">
        <AccountSection id="facts" title="Facts">
          <Facts order={order} />
        </AccountSection>
        <AccountSection id="lines" title="Lines">
          <Lines order={order} />
        </AccountSection>
        <AccountSection id="timeline" title="Timeline">
          <Rows none="Nothing happened yet.">
            {order.timeline.map(({ id, action, reason, by, at }) => (
              <Line key={id} name={viewText(action)} more={[by, reason].filter(Boolean).join(' · ')}>
                <time dateTime={at}>{formatMoment(at)}</time>
              </Line>
            ))}
          </Rows>
        </AccountSection>
      </div>
      <div className="grid grid-cols-1 gap-6">
        <AccountSection id="documents" title="Invoices and credit notes">
          <Rows none={order.state === 'open' ? 'The invoice is issued with the payment.' : 'No invoice.'}>
            {order.invoices.map(({ id, number, kind, gross, issuedOn, dueOn }) => (
              <Line
                key={id}
                name={
                  <a href={`${INVOICES}/${id}/pdf`} className="link" download>
                    {number}
                  </a>
                }
                more={invoiceLabel({ kind, gross })}
              >
                {money(gross, order)} · {dueOn ? `due ${formatDay(dueOn)}` : formatDay(issuedOn)}
              </Line>
            ))}
          </Rows>
          {mayWrite && <CorrectInvoice order={order} />}
        </AccountSection>
        <AccountSection id="payments" title="Payments">
          <Payments order={order} />
        </AccountSection>
        {order.refunds.length + order.disputes.length + order.payments.length > 0 && (
          <AccountSection id="refunds" title="Refunds and disputes">
            <OrderRefunds order={order} mayWrite={mayWrite} />
          </AccountSection>
        )}
        <AccountSection id="ledger" title="Ledger">
          <Ledger order={order} />
        </AccountSection>
        {order.events.length > 0 && (
          <AccountSection id="events" title="Events of the provider">
            <Rows none="">
              {order.events.map(({ id, kind, occurredAt, appliedAt, refusal }) => (
                <Line key={id} name={kind} more={refusal || (appliedAt ? 'Applied' : 'Not applied yet')}>
                  <time dateTime={occurredAt}>{formatMoment(occurredAt)}</time>
                </Line>
              ))}
            </Rows>
          </AccountSection>
        )}
      </div>
    </div>
  )
}

function Rows({ none, children }: { none: string; children: React.ReactNode[] }) {
  if (children.length === 0) return <p className="text-small text-muted">{none}</p>
  return <ul className="divide-y divide-line border-y border-line text-small">{children}</ul>
}

function Line({ name, more, children }: { name: React.ReactNode; more: React.ReactNode; children: React.ReactNode }) {
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 py-2">
      <span className="min-w-0 wrap-anywhere">
        <span className="font-semibold">{name}</span> <span className="text-muted">{more}</span>
      </span>
      <span className="font-mono text-fine text-muted">{children}</span>
    </li>
  )
}

const withdrawalStates = {
  received: 'being processed',
  refunded: 'refunded',
  staff: 'for you to decide',
  cancelled: 'nothing was paid',
} as const

function Facts({ order }: Props) {
  const {
    kind,
    organization,
    orderedBy,
    product,
    subscription,
    period,
    method,
    purchaseOrder,
    createdAt,
    paidAt,
    dueOn,
    failure,
    licence,
  } = order
  const facts = [
    ['Customer', <Customer key="customer" organization={organization} />],
    ['Ordered by', orderedBy ?? '-'],
    ['Kind', kindLabels[kind]],
    [
      'Dataset',
      product && (
        <Link key="product" to={`${MARKETPLACE}/${product.slug}`} className="link">
          {product.name}
        </Link>
      ),
    ],
    ['Subscription', subscription],
    ['Period', period && formatSpan(period)],
    ['Paid by', method === 'invoice' ? 'Invoice' : 'Checkout'],
    ['Purchase order', purchaseOrder],
    ['Owed', money(order.owed, order)],
    [
      'Ordered',
      <time key="ordered" dateTime={createdAt}>
        {formatMoment(createdAt)}
      </time>,
    ],
    ['Due', dueOn && formatDay(dueOn)],
    [
      'Paid',
      paidAt && (
        <time key="paid" dateTime={paidAt}>
          {formatMoment(paidAt)}
        </time>
      ),
    ],
    ['Reason', failure],
    ['License', licence && `Version ${licence.version}, accepted ${formatMoment(licence.acceptedAt)}`],
    ['Immediate supply', order.supplyConsent && `Agreed ${formatMoment(order.supplyConsent.acceptedAt)}`],
    [
      'Withdrawal',
      order.withdrawal &&
        `${order.withdrawal.name}, ${formatMoment(order.withdrawal.createdAt)}, ${order.withdrawal.isDecided ? 'decided' : withdrawalStates[order.withdrawal.state]}`,
    ],
    ['Reminders', order.remindersPaused ? 'Paused' : order.reminders.map(({ step, sentAt }) => `${step}: ${formatDay(sentAt)}`).join(', ')],
  ] as const
  return <RecordFacts facts={facts} />
}

function Lines({ order }: Props) {
  const { lines, taxParts, net, gross } = order
  return (
    <>
      <Table caption="Lines of the order">
        <thead>
          <tr>
            <HeadCell>Line</HeadCell>
            <HeadCell kind="number">Quantity</HeadCell>
            <HeadCell kind="number">Net</HeadCell>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- two lines of an order can be equal
            <TableRow key={at}>
              <Cell>
                {line.title}
                {line.detail && <span className="block text-fine text-muted">{line.detail}</span>}
                {line.discount > 0 && <span className="block text-fine text-muted">Less a discount of {money(line.discount, order)}</span>}
              </Cell>
              <Cell kind="number">{line.isAllowance ? null : numberText(line.quantity / 1000)}</Cell>
              <Cell kind="number">{money(line.net, order)}</Cell>
            </TableRow>
          ))}
        </tbody>
      </Table>
      <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-1 text-small">
        <Sum label="Net" amount={money(net, order)} />
        {taxParts.map(({ category, rate, tax, reason }) => (
          <Sum key={`${category} ${rate}`} label={reason || `Tax, ${percentText(rate)}`} amount={money(tax, order)} />
        ))}
        <Sum label="Total" amount={money(gross, order)} isWhole />
      </dl>
    </>
  )
}

function Sum({ label, amount, isWhole = false }: { label: string; amount: string; isWhole?: boolean }) {
  return (
    <>
      <dt className={isWhole ? 'font-semibold' : 'text-muted'}>{label}</dt>
      <dd className={isWhole ? 'text-right font-mono font-semibold' : 'text-right font-mono'}>{amount}</dd>
    </>
  )
}

function Payments({ order }: Props) {
  return (
    <Rows none="Nothing was paid yet.">
      {order.payments.map(({ id, paymentId, provider, amount, whole, fee, paidAt }) => (
        <Line
          key={id}
          name={
            <Link to={paymentPath(paymentId)} className="link">
              {money(amount, order)}
            </Link>
          }
          more={[
            providerLabels[provider],
            ...(whole === amount ? [] : [`of ${money(whole, order)}`]),
            ...(fee ? [`fee ${money(fee, order)}`] : []),
          ].join(', ')}
        >
          <time dateTime={paidAt}>{formatDay(paidAt)}</time>
        </Line>
      ))}
    </Rows>
  )
}

/** Double entry: debits are positive, and the entries of each cause sum to zero. */
function Ledger({ order }: Props) {
  if (order.ledger.length === 0) return <p className="text-small text-muted">Nothing is booked yet.</p>
  return (
    <Table caption="Ledger entries of the order">
      <thead>
        <tr>
          <HeadCell>Cause</HeadCell>
          <HeadCell>Account</HeadCell>
          <HeadCell kind="number">Amount</HeadCell>
        </tr>
      </thead>
      <tbody>
        {order.ledger.map(({ id, cause, account, amount, occurredAt }) => (
          <TableRow key={id}>
            <Cell title={formatMoment(occurredAt)}>{viewText(cause.split(':')[0] ?? '')}</Cell>
            <Cell>{viewText(account)}</Cell>
            <Cell kind="number">{money(amount, order)}</Cell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  )
}
