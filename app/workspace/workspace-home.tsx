import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useEffectEvent } from 'react'
import type { Notices } from '#app/account/session/notices.ts'
import { Workspace } from '#app/account/session/workspace.tsx'
import { apiQuery } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { cx } from '#app/ui/class-names.ts'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Page } from '#app/ui/page.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { LiveBadge, useLiveLeads } from '#app/leads/figures/live-leads.tsx'
import { useRefreshLeads } from '#app/leads/lead/use-lead-actions.tsx'
import { StuckEmails } from '#app/mail/failed-emails.tsx'
import type { FirstSteps } from './first-steps.ts'
import { FirstStepsPanel } from './first-steps-panel.tsx'
import { type Panel, staffPanels } from './panels.ts'
import { workspaceHome } from './workspace.ts'

// Staff need not load what customers see. The server draws both.
const CustomerHomePage = lazy(async () => ({ default: (await import('./customer-home.tsx')).CustomerHomePage }))

/** The greeting's data, sent with the page. */
export type Greeted = {
  firstName: string | undefined
  email: string
  isStaff: boolean
  /** The list of first steps is shown: an owner has open ones and has not hidden them. */
  firstSteps: FirstSteps | undefined
}

/** The home page of signed-in users: open tasks and recent changes. */
export function WorkspaceHome({ greeted, notices }: { greeted: Greeted; notices: Notices }) {
  const { firstName, email, isStaff, firstSteps } = greeted
  return (
    <Workspace notices={notices}>
      {isStaff ? (
        <Page kind="work" title={firstName ? `Hello, ${firstName}` : 'Hello'} eyebrow={email} actions={<LiveFigures />}>
          <StuckEmails />
          {firstSteps && <FirstStepsPanel known={firstSteps} />}
          <Body />
        </Page>
      ) : (
        <Suspense>
          <CustomerHomePage firstName={firstName} email={email} />
        </Suspense>
      )}
    </Workspace>
  )
}

function Body() {
  const home = usePageQuery(apiQuery('/api/workspace', workspaceHome))
  if (home.isPending) {
    return (
      <>
        <Loading>Loading your workspace...</Loading>
        <Skeleton lines={8} />
      </>
    )
  }
  if (home.isError) return <Failed error={home.error} retry={home.refetch} />
  return home.data.view === 'staff' && <Panels panels={staffPanels} home={home.data} />
}

const places: Record<Panel<unknown>['place'], string> = { main: 'lg:col-start-1', side: 'lg:col-start-2', wide: 'lg:col-span-2' }

/** One below the other on a narrow screen. On a wide one, those at the side are beside the one before them. */
function Panels<View>({ panels, home }: { panels: readonly Panel<View>[]; home: View }) {
  return (
    <div className="grid grid-cols-1 gap-4 sm:gap-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
      {panels.map(({ name, place, View }) => (
        <div key={name} className={cx('grid grid-cols-1', places[place])}>
          <View home={home} />
        </div>
      ))}
    </div>
  )
}

/** Refreshes the staff home while it is open, and shows whether the connection is live. */
function LiveFigures() {
  const { data: home } = useQuery(apiQuery('/api/workspace', workspaceHome))
  const data = home?.view === 'staff' ? home : undefined
  useRefreshIn(data?.overdue.nextInSeconds)
  return <LiveBadge live={useLiveLeads(data?.lastDay.newest)} />
}

/** A deadline that passes is not an event of the server, so the data is reloaded at that time. */
function useRefreshIn(seconds: number | null | undefined) {
  const refresh = useRefreshLeads()
  const ask = useEffectEvent(() => void refresh())
  useEffect(() => {
    if (seconds === null || seconds === undefined) return
    const timer = setTimeout(ask, (seconds + 1) * 1000)
    return () => clearTimeout(timer)
  }, [seconds])
}
