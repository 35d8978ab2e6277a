import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { href, Link } from 'react-router'
import type { Handle } from '#app/access.server.ts'
import { viewerOf } from '#app/page-access.server.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { onNewPath } from '#app/platform/browser/revalidate.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Button } from '#app/ui/button.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Later, laterCode, LaterDialog } from '#app/ui/later-code.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Page } from '#app/ui/page.tsx'
import { RowsSkeleton } from '#app/ui/skeleton.tsx'
import { Tabs } from '#app/ui/tabs.tsx'
import { NotYours } from '#app/users/access-requests/not-yours.tsx'
import type { Route } from './+types/calendar.page.ts'
import type { CalendarDialog, CalendarProps } from './calendar-dialog.ts'
import { momentText } from './call-text.ts'
import { feedsQuery, hostsQuery, useLiveCalls } from './use-calendar.tsx'
import { WeekView } from './week-view.tsx'

const listCode = laterCode('The list of calls', () => import('./call-list.tsx'))
const hoursCode = laterCode('The hours', () => import('./hours-panel.tsx'))
const feedsCode = laterCode('The list of calendars', () => import('./feeds-panel.tsx'))
const typesCode = laterCode('The call types', () => import('./call-type-panel.tsx'))
const dialogCode = laterCode('The dialog', () => import('./calendar-dialogs.tsx'))

export const handle = { access: 'leads.read', isExplained: true } satisfies Handle

export function loader({ context }: Route.LoaderArgs) {
  const { isTheirs } = viewerOf(context)
  return { isTheirs }
}

/** Another week or tab does not change the signed-in person. */
export const shouldRevalidate = onNewPath

export const meta = () => pageMeta({ title: 'Calendar', index: false })

export default function CalendarPage({ loaderData: { isTheirs } }: Route.ComponentProps) {
  return isTheirs ? <StaffCalendar /> : <StaffOnlyCalendar />
}

const uses = [
  'See booked calls by week',
  'Set the hours in which you take calls',
  'Move, hand over or cancel a call',
  'Block time for other work',
]

function StaffOnlyCalendar() {
  return (
    <NotYours title="Calendar" purpose={INTRO} uses={uses} needs="Only staff can use this page. You can book a call with us.">
      <ButtonLink to={href('/book')} look="quiet">
        Book a call
      </ButtonLink>
    </NotYours>
  )
}

function StaffCalendar() {
  const hosts = usePageQuery(hostsQuery)
  useLiveCalls()
  const you = hosts.data?.find(({ isYou }) => isYou)
  return you && hosts.data ? (
    <Calendar hosts={hosts.data} you={you} />
  ) : (
    <Page kind="work" title="Calendar" intro={INTRO}>
      {hosts.isPending && (
        <>
          <Loading>Loading calendar...</Loading>
          <RowsSkeleton columns={7} />
        </>
      )}
      {hosts.isError && <Failed as="h2" error={hosts.error} retry={hosts.refetch} />}
    </Page>
  )
}

const INTRO = 'Calls that visitors book, and the hours in which you take them.'
const tabNames = ['week', 'list', 'hours', 'calendars', 'settings'] as const

/** Filters of one tab mean nothing in another. */
const nothingChosen = { week: undefined, show: undefined, call: undefined, host: undefined, type: undefined }

function Calendar({ hosts, you }: Omit<CalendarProps, 'open'>) {
  const { params, change } = useView()
  const [dialog, open] = useState<CalendarDialog>()
  const tab = tabNames.find((name) => name === params.get('tab')) ?? 'week'
  const props = { hosts, you, open }
  const isOpen = dialog !== undefined || params.has('call')
  const close = () => {
    open(undefined)
    change({ call: undefined }, { replace: true })
  }
  const tabs = [
    { value: 'week', label: 'Week', content: <WeekView {...props} /> },
    { value: 'list', label: 'List', content: <Later code={listCode}>{({ CallList }) => <CallList {...props} />}</Later> },
    { value: 'hours', label: 'Hours', content: <Later code={hoursCode}>{({ HoursPanel }) => <HoursPanel {...props} />}</Later> },
    {
      value: 'calendars',
      label: 'Other calendars',
      content: <Later code={feedsCode}>{({ FeedsPanel }) => <FeedsPanel you={you} />}</Later>,
    },
    {
      value: 'settings',
      label: 'Call types',
      content: <Later code={typesCode}>{({ CallTypePanel }) => <CallTypePanel />}</Later>,
    },
  ]
  return (
    <Page
      kind="work"
      title="Calendar"
      intro={INTRO}
      actions={
        // The other tabs have a main action of their own.
        (tab === 'week' || tab === 'list') && (
          <Button
            type="button"
            onPointerEnter={dialogCode.warm}
            onFocus={dialogCode.warm}
            onClick={() => open({ kind: 'block', host: you })}
          >
            Block time
          </Button>
        )
      }
    >
      <div className="grid grid-cols-1 gap-3">
        <Warnings hosts={hosts} you={you} />
        <Tabs
          label="Calendar"
          tabs={tabs}
          value={tab}
          onValueChange={(value) => change({ ...nothingChosen, tab: value === 'week' ? undefined : value }, { replace: true })}
        />
      </div>
      {isOpen && (
        <LaterDialog code={dialogCode} onClose={close}>
          {({ CalendarDialogs }) => <CalendarDialogs {...props} dialog={dialog} close={() => open(undefined)} />}
        </LaterDialog>
      )}
    </Page>
  )
}

function Warnings({ hosts, you }: Omit<CalendarProps, 'open'>) {
  const feeds = useQuery(feedsQuery(you.id))
  const stale = feeds.data?.filter(({ isStale }) => isStale) ?? []
  const isToConfirm = you.isActive && !you.isConfirmed
  const takesNone = hosts.every(({ isActive, isConfirmed }) => !isActive || !isConfirmed)
  return (
    <>
      {isToConfirm && (
        <Warning to="?tab=hours" deed="Confirm your hours">
          Visitors can book calls with you once you confirm your hours and time zone.
        </Warning>
      )}
      {takesNone && !isToConfirm && (
        <Warning to="?tab=hours" deed="Set your hours">
          No one takes calls, so visitors can’t book any.
        </Warning>
      )}
      {stale.map(({ id, label, lastSuccessAt }) => (
        <Warning key={id} to="?tab=calendars" deed="Check the calendar">
          {lastSuccessAt
            ? `“${label}” was last read on ${momentText(lastSuccessAt, you.zone)}. Calls may be booked over newer events.`
            : `“${label}” has never been read. Calls may be booked over its events.`}
        </Warning>
      ))}
    </>
  )
}

function Warning({ to, deed, children }: { to: string; deed: string; children: React.ReactNode }) {
  return (
    <p className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 rounded-card border border-l-4 border-line border-l-alarm bg-surface px-4 py-2 text-small">
      <span>{children}</span>
      <Link to={to} preventScrollReset className="link font-semibold">
        {deed}
      </Link>
    </p>
  )
}
