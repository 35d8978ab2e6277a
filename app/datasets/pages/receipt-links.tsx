import type { Receipt } from '#app/datasets/catalog/receipt.ts'

/** The documents of an order as PDF, and for programs. One whose file is still being made says so. */
export function ReceiptLinks({ receipts }: { receipts: readonly Receipt[] }) {
  if (receipts.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-small">
      {receipts.map(({ id, title, pdfUrl, xmlUrl }) => (
        <li key={id} className="flex flex-wrap gap-x-3">
          {pdfUrl ? (
            <a href={pdfUrl} className="link" download>
              {title}
            </a>
          ) : (
            <span className="text-muted">{title} is being made...</span>
          )}
          {xmlUrl && (
            <a href={xmlUrl} className="link" download aria-label={`${title} as XML`}>
              XML
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}
