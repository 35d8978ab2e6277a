import { identity } from '#app/content/identity.ts'
import { EmailText } from '#app/ui/email-text.tsx'

/** The way out of an order whose invoice is issued: its access has started, so staff decide. */
export function CancelInvoiced({ reference }: { reference: string }) {
  return (
    <p className="text-small text-muted">
      To cancel this order, write to{' '}
      <a href={`mailto:${identity.email}?subject=${encodeURIComponent(`Cancel order ${reference}`)}`} className="link">
        <EmailText>{identity.email}</EmailText>
      </a>
      .
    </p>
  )
}
