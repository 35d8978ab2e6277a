import { Link } from 'react-router'
import { OwnEnquiryCard } from '#app/leads/dashboard/own-enquiry.tsx'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Empty } from '#app/ui/empty.tsx'
import type { CustomerHome } from './workspace.ts'

const SHOWN = 3

/** The customer's enquiries, newest first, with status and next deadline. */
export function EnquiriesPanel({ home: { enquiries } }: { home: CustomerHome }) {
  const [newest] = enquiries
  return (
    <section aria-labelledby="your-enquiries" className="grid min-w-0 gap-4">
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 id="your-enquiries" className="text-h3">
          Your enquiries
        </h2>
        {newest && <ButtonLink to="/contact">New enquiry</ButtonLink>}
      </header>
      {newest ? (
        <ul className="grid gap-4">
          {enquiries.slice(0, SHOWN).map((enquiry) => (
            <OwnEnquiryCard key={enquiry.id} enquiry={enquiry} />
          ))}
        </ul>
      ) : (
        <Empty title="No enquiries yet" action={<ButtonLink to="/contact">Tell us what you need</ButtonLink>}>
          <p>Your enquiries appear here, with what happens next and by when.</p>
        </Empty>
      )}
      {enquiries.length > SHOWN && (
        <Link to="/dashboard" className="link inline-flex min-h-11 w-fit items-center text-small font-semibold">
          All {enquiries.length} enquiries
        </Link>
      )}
    </section>
  )
}
