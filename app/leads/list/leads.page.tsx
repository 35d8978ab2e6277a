import { FileUpIcon, InboxIcon, ListOrderedIcon, PlusIcon, UsersRoundIcon } from 'lucide-react'
import { Link, useNavigate } from 'react-router'
import type { Handle } from '#app/access.server.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { Menu } from '#app/ui/admin/menu.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { withChanges } from '#app/ui/admin/view.ts'
import { buttonLook } from '#app/ui/button-look.ts'
import { Page } from '#app/ui/page.tsx'
import { LeadDesk } from './lead-desk.tsx'

/** In a menu on a phone, where the list should begin on the first screen. */
const places = [
  { to: '/leads/inbox', label: 'Inbox', Icon: InboxIcon },
  { to: '/leads/duplicates', label: 'Duplicates', Icon: UsersRoundIcon },
  { to: '/leads/stages', label: 'Stages', Icon: ListOrderedIcon },
  { to: '/leads/import', label: 'Import', Icon: FileUpIcon },
]

export const handle = { access: 'leads.read' } satisfies Handle

export const meta = () => pageMeta({ title: 'Leads', index: false })

export default function LeadsPage() {
  const { params } = useView()
  const navigate = useNavigate()
  return (
    <Page
      kind="work"
      title="Leads"
      actions={
        <>
          <Link to={withChanges(params, { new: 'lead' })} preventScrollReset className={buttonLook('primary')}>
            <PlusIcon aria-hidden="true" className="size-4" />
            New lead
          </Link>
          {places.map(({ to, label, Icon }) => (
            <Link key={to} to={to} className={buttonLook('quiet', 'regular', 'max-sm:hidden')}>
              <Icon aria-hidden="true" className="size-4" />
              {label}
            </Link>
          ))}
          <Menu
            label="More"
            className={buttonLook('quiet', 'regular', 'sm:hidden')}
            entries={places.map(({ to, label, Icon }) => ({ label, icon: Icon, act: () => void navigate(to) }))}
          >
            More
          </Menu>
        </>
      }
    >
      <LeadDesk />
    </Page>
  )
}
