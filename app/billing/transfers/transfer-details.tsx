import { RecordFacts } from '#app/ui/admin/record.tsx'
import { Card } from '#app/ui/card.tsx'
import type { TransferDetails } from './transfer-details.server.ts'

/** Where to send the money, and a code that banking apps read. */
export function TransferCard({ details: { name, iban, bic, amount, reference, code } }: { details: TransferDetails }) {
  const facts = [
    ['Recipient', name],
    [
      'IBAN',
      <span key="iban" className="font-mono">
        {iban}
      </span>,
    ],
    ['BIC', bic],
    ['Amount', amount],
    [
      'Reference',
      <span key="reference" className="font-mono">
        {reference}
      </span>,
    ],
  ] as const
  return (
    <Card as="section" aria-label="Pay by bank transfer" className="flex flex-wrap items-start justify-between gap-6">
      <div className="grid gap-3">
        <h2 className="text-h3">Pay by bank transfer</h2>
        <RecordFacts facts={facts} />
        <p className="max-w-[48ch] text-small text-muted">
          Write the reference as it stands here. It takes a day or two until the payment arrives.
        </p>
      </div>
      {code && (
        <svg
          role="img"
          aria-label="Code for banking apps with these details"
          viewBox={`0 0 ${code.size} ${code.size}`}
          shapeRendering="crispEdges"
          className="size-44 bg-white"
        >
          <path d={code.path} className="fill-black" />
        </svg>
      )}
    </Card>
  )
}
