import { keepPreviousData } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { elapsedText } from '#app/leads/lead/format.ts'
import { type Quarantined, quarantined } from '#app/leads/lead/lead.ts'
import { useRelease } from '#app/leads/lead/use-lead-actions.tsx'
import { apiQuery } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { type ListLook, ListPage } from '#app/ui/admin/list-page.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { withChanges } from '#app/ui/admin/view.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Day, dayColumn, factColumn } from './listed-columns.tsx'

/** Rows of one page. */
const SHOWN = 50

const look: ListLook<Quarantined> = {
  name: 'quarantine',
  caption: 'Quarantine',
  one: 'enquiry',
  many: 'enquiries',
  loading: 'Loading quarantine...',
  empty: {
    title: 'Nothing in quarantine',
    text: 'Enquiries that look like spam appear here for review. None is ever deleted, and releasing one sends its emails.',
  },
  nameOf: ({ name }) => name,
  columns: [
    factColumn('name', { width: '11rem' }),
    factColumn('message', { from: 'medium', view: ({ message }) => <span className="text-muted">{message}</span> }),
    { key: 'why', head: 'Why', from: 'medium', view: Reasons },
    factColumn('email', { from: 'large', view: ({ email }) => <span title={email}>{email}</span> }),
    { ...dayColumn, from: 'large' },
    { key: 'decide', head: 'Decide', width: '7rem', view: (contact) => <Release contact={contact} /> },
  ],
  renderNarrow: (contact) => (
    <>
      <span className="w-full truncate">{contact.email}</span>
      <span className="line-clamp-2 w-full">{contact.message}</span>
      <Reasons {...contact} />
      <Day {...contact} />
    </>
  ),
}

/** Doubtful enquiries: stored, but not counted or acknowledged until someone releases them. */
export function QuarantineList() {
  const { params } = useView()
  const before = params.get('cursor')
  // One extra row tells whether there is a next page.
  const asked = new URLSearchParams({ limit: String(SHOWN + 1), ...(before && { before }) })
  const list = usePageQuery({
    ...apiQuery(`/api/contacts/quarantine?${asked}`, z.array(quarantined)),
    placeholderData: keepPreviousData,
  })
  const release = useRelease()
  return (
    <ListPage
      {...look}
      list={list}
      rows={list.data?.slice(0, SHOWN)}
      place={{ next: list.data && list.data.length > SHOWN ? list.data[SHOWN - 1]?.id : null }}
      opens={({ id }) => ({ to: withChanges(params, { contact: id }), isBeside: true })}
      bulk={[
        {
          label: release.isPending ? 'Releasing...' : 'Release',
          busy: release.isPending,
          act: ({ rows, clear }) => release.mutate(rows, { onSuccess: clear }),
        },
      ]}
      views="none"
    />
  )
}

function Reasons({ spamReasons }: Quarantined) {
  return (
    <span className="flex gap-1.5" title={spamReasons.map(elapsedText).join(', ')}>
      {spamReasons.map((reason) => (
        <Badge key={reason} look="grain">
          {elapsedText(reason)}
        </Badge>
      ))}
    </span>
  )
}

function Release({ contact }: { contact: Quarantined }) {
  const release = useRelease()
  return (
    <Button
      type="button"
      look="quiet"
      size="small"
      className="relative z-1"
      busy={release.isPending}
      onClick={() => release.mutate([contact])}
    >
      {release.isPending ? 'Releasing...' : 'Release'}
    </Button>
  )
}
