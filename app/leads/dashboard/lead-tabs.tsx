import { useNavigate, useSearchParams } from 'react-router'
import { Tabs } from '#app/ui/tabs.tsx'
import { ConsultationList } from './consultation-list.tsx'
import { ContactList } from './contact-list.tsx'
import type { LeadSummary } from '#app/leads/inbox/lead-summary.ts'
import { tabOf, tabs, toTab } from './lead-view.ts'
import { QuarantineList } from './quarantine-list.tsx'

/** The lists of leads. The open tab is in the URL. */
export function LeadTabs({ summary }: { summary: LeadSummary }) {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const open = (value: string) => {
    const tab = tabs.find((known) => known === value)
    if (tab) void navigate(toTab(tab), { preventScrollReset: true })
  }
  return (
    <section aria-label="Leads" className="mt-4 min-w-0">
      <Tabs
        label="Leads"
        value={tabOf(params)}
        onValueChange={open}
        tabs={[
          { value: 'contacts', label: 'Contact Inquiries', count: summary.contacts, content: <ContactList /> },
          { value: 'consultations', label: 'Consultation Requests', count: summary.consultations, content: <ConsultationList /> },
          { value: 'quarantine', label: 'Quarantine', count: summary.quarantined, content: <QuarantineList /> },
        ]}
      />
    </section>
  )
}
