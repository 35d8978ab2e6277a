import type { Receipt } from '#app/datasets/catalog/receipt.ts'

/** The documents of an order as PDF. One whose file is still being made says so. */
export function ReceiptLinks({ receipts }: { receipts: readonly Receipt[] }) {
  if (receipts.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-small">
      {receipts.map(({ id, title, pdfUrl }) => (
        <li key={id}>
          {pdfUrl ? (
            <a href={pdfUrl} className="link" download>
              {title}
            </a>
          ) : (
            <span className="text-muted">{title} is being made...</span>
          )}
        </li>
      ))}
    </ul>
  )
}
