import { proposalPageTexts as words } from '#app/content/proposals.ts'
import type { Shown } from './shown-proposal.ts'

/** Tax, total and deposit, once they are known. */
export function Sums({ sums }: { sums: Pick<NonNullable<Shown['sum']>, 'taxes' | 'grossText' | 'depositText'> }) {
  const rows = [
    ...sums.taxes.map(({ label, amount }): [string, string] => [label, amount]),
    [words.totals.gross, sums.grossText],
    ...(sums.depositText ? [[words.totals.deposit, sums.depositText]] : []),
  ]
  return (
    <dl className="grid gap-1.5">
      {rows.map(([label, amount]) => (
        <div key={label} className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-6">
          <dt className="text-muted">{label}</dt>
          <dd className="font-mono">{amount}</dd>
        </div>
      ))}
    </dl>
  )
}
