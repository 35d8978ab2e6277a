import type { Handle } from '#app/access.server.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { LeadsLink } from '#app/leads/list/leads-link.tsx'
import { Page } from '#app/ui/page.tsx'
import { ImportPanel } from '#app/ui/admin/import-dialog.tsx'
import { ImportList } from './import-list.tsx'
import { leadImportNoun } from './import-noun.tsx'

export const handle = { access: 'leads.write' } satisfies Handle

export const meta = () => pageMeta({ title: 'Import leads', index: false })

export default function ImportPage() {
  return (
    <Page
      kind="work"
      eyebrow={<LeadsLink />}
      title="Import leads"
      intro="Import the CSV export of another CRM. You see what happens before anything is stored, and can undo it for 30 days."
    >
      <div className="grid grid-cols-1 gap-8">
        <ImportPanel noun={leadImportNoun} />
        <ImportList />
      </div>
    </Page>
  )
}
